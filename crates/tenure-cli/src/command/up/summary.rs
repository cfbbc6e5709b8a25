//! What is said when the show is over.

use std::fmt::Write;
use std::time::Duration;

use super::show::Show;
use super::tally::{Gaps, Tally};

/// The summary, for people and scripts: one figure a line.
pub(super) fn summary(show: &Show) -> String {
    let (deeds, tally) = (&show.deeds, &show.tally);
    let mut text = format!(
        "{} with {} shards: {} members started, {} killed, {} frozen, {} told to leave\n",
        span(show.now),
        show.seats.len(),
        deeds.started,
        deeds.killed,
        deeds.frozen,
        deeds.stopped
    );
    let _ = writeln!(text, "failovers after proof of death: {}", gaps(&tally.proven));
    let _ = writeln!(text, "failovers after silence: {}", gaps(&tally.silent));
    let _ = writeln!(text, "moves: {}", gaps(&tally.moves));
    let _ = writeln!(text, "longest time without owner: {}{}", span(tally.longest()), waiting(tally));
    let _ = writeln!(
        text,
        "overlaps: {} (of {} tenures, by what their work wrote)",
        tally.overlaps.len(),
        tally.tenures
    );
    for overlap in &tally.overlaps {
        let _ = writeln!(text, "  {} acted while {} did", overlap.earlier, overlap.later);
    }
    text
}

fn gaps(gaps: &Gaps) -> String {
    match gaps.count() {
        0 => "0".into(),
        count => format!(
            "{count} (without owner: median {}, longest {})",
            span(gaps.median()),
            span(gaps.longest())
        ),
    }
}

fn waiting(tally: &Tally) -> String {
    match tally.waiting.count() {
        0 => String::new(),
        count => format!(" ({count} shards had none at the end)"),
    }
}

/// A time for people: three digits are enough.
pub(super) fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        _ if seconds >= 10.0 => format!("{seconds:.1} s"),
        _ if seconds >= 1.0 => format!("{seconds:.2} s"),
        _ if seconds >= 0.01 => format!("{:.0} ms", seconds * 1e3),
        _ => format!("{:.1} ms", seconds * 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_with_as_many_digits_as_mean_something() {
        let said = [12.34, 1.234, 0.1234, 0.0012, 0.0].map(|seconds| span(Duration::from_secs_f64(seconds)));
        assert_eq!(said, ["12.3 s", "1.23 s", "123 ms", "1.2 ms", "0.0 ms"]);
    }

    #[test]
    fn a_show_in_which_nothing_happened_says_so() {
        let told = summary(&Show::new(8, Duration::from_secs(1), false));
        assert!(
            told.contains("proof of death: 0\nfailovers after silence: 0\nmoves: 0\n")
                && told.contains("overlaps: 0 "),
            "{told}"
        );
    }
}
