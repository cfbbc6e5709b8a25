//! Times as they are typed: each is refused under the name that it was typed with, and with what would be accepted.

use std::time::Duration;

use tenure_core::moment::TTL_FLOOR;
use tenure_core::record::TTL_MAX_MS;

/// The longest lease: the cluster's longest one is four times as long, and has a limit.
const TTL_MAX: Duration = Duration::from_millis(TTL_MAX_MS / 4);

/// The longest time that a command may take to end.
const DRAIN_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The shortest time to play.
const SHOW_MIN: Duration = Duration::from_secs(1);

/// How long a lease lasts.
pub(super) fn ttl(text: &str) -> Result<Duration, String> {
    within(text, TTL_FLOOR, TTL_MAX)
}

/// How long work may take to end.
pub(super) fn drain(text: &str) -> Result<Duration, String> {
    within(text, Duration::ZERO, DRAIN_MAX)
}

/// How long something is shown.
pub(super) fn show_length(text: &str) -> Result<Duration, String> {
    within(text, SHOW_MIN, Duration::MAX)
}

/// Any time.
pub(super) fn any(text: &str) -> Result<Duration, String> {
    let example = "write it as a number with its unit, such as 250ms, 30s or 5m";
    humantime::parse_duration(text).map_err(|error| format!("{error}; {example}"))
}

fn within(text: &str, least: Duration, most: Duration) -> Result<Duration, String> {
    let time = any(text)?;
    let told = |time| humantime::format_duration(time).to_string();
    match (time < least, time > most) {
        (false, false) => Ok(time),
        _ if most == Duration::MAX => Err(format!("use at least {}", told(least))),
        _ => Err(format!("use {} to {}", told(least), told(most))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_out_of_range_is_answered_with_the_range() {
        assert_eq!(ttl("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(ttl("6h"), Ok(Duration::from_secs(6 * 3600)));
        for text in ["0s", "499ms", "7h"] {
            assert_eq!(ttl(text), Err("use 500ms to 6h".into()), "{text}");
        }
        assert_eq!(drain("25h"), Err("use 0s to 1day".into()));
        assert_eq!(show_length("0s"), Err("use at least 1s".into()));
    }

    #[test]
    fn a_time_without_a_unit_is_answered_with_examples() {
        assert!(any("30").unwrap_err().ends_with("such as 250ms, 30s or 5m"));
    }
}
