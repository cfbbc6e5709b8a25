//! What is told of a member that can't join, and how often.

use std::io::Write;
use std::sync::{Arc, Mutex};

use tenure_core::ids::{Incarnation, Line};
use tracing::Level;

use super::*;

const NOW: Moment = Moment::from_nanos(1_000_000_000_000);

/// What was logged, a line each.
#[derive(Clone, Debug, Default)]
struct Journal(Arc<Mutex<Vec<u8>>>);

impl Write for Journal {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn life(term: u64) -> Life {
    Life::new("a".parse().unwrap(), Incarnation { line: Line(7), term })
}

/// The lines of what is told of these notices, each at its second.
fn told(notices: impl IntoIterator<Item = (f64, Notice)>) -> Vec<String> {
    let journal = Journal::default();
    let written = journal.clone();
    let listener = tracing_subscriber::fmt().with_max_level(Level::INFO).with_ansi(false).without_time();
    let listener = listener.with_writer(move || written.clone()).finish();
    tracing::subscriber::with_default(listener, || {
        let mut reporter =
            Reporter::new("a".parse().unwrap(), Arc::new(Metrics::default()), Duration::from_secs(2));
        for (second, notice) in notices {
            reporter.notice(NOW + Duration::from_secs_f64(second), notice);
        }
    });
    let text = String::from_utf8(journal.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Five times a second, as long as it lasts.
fn waits(term: u64, from: u64, seconds: u64) -> impl Iterator<Item = (f64, Notice)> {
    (0..seconds * 5).map(move |tick| (from as f64 + tick as f64 * 0.2, Notice::Waiting(life(term))))
}

#[test]
fn a_fenced_member_says_once_that_it_was_fenced_and_what_to_do() {
    let lapsed = Notice::Lapsed { life: life(1), reason: LapseReason::Ousted };
    let lines = told([(0.0, Notice::Joined(life(1))), (5.0, lapsed)].into_iter().chain(waits(1, 6, 10)));
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert!(lines[2].contains("fenced: this member's lease was taken away by hand"), "{}", lines[2]);
    assert!(lines[2].contains("`tenure drain a --undo`"), "{}", lines[2]);
}

#[test]
fn a_doubled_id_is_told_once_and_then_ever_more_rarely() {
    let lines = told(waits(1, 0, 60));
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert!(
        lines[0].contains(
            "another process has the lease of this member id; if that process runs, give each its own id"
        ),
        "{}",
        lines[0]
    );
    assert!(lines[2].contains("since=30s"), "{}", lines[2]);
}

#[test]
fn a_member_whose_id_another_took_over_is_not_called_fenced() {
    let lapsed = Notice::Lapsed { life: life(1), reason: LapseReason::Ousted };
    let lines = told([(0.0, lapsed)].into_iter().chain(waits(2, 1, 2)));
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(lines[1].contains("waiting: another process"), "{}", lines[1]);
}

#[test]
fn a_store_that_refuses_is_told_as_rarely() {
    let refused = (0..100).map(|tick| (f64::from(tick) * 0.2, Notice::Refused("no rights".into())));
    assert_eq!(told(refused).len(), 2);
}
