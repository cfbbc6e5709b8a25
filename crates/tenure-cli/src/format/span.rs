//! Spans and times, as people say them.

use std::time::{Duration, SystemTime};

/// A span, to two figures or so: `850 ms`, `1.2 s`, `3 min`, `5 h`, `9 d`.
pub(crate) fn span(span: Duration) -> String {
    let seconds = span.as_secs_f64();
    match span.as_millis() {
        0..1_000 => format!("{} ms", span.as_millis()),
        1_000..10_000 => format!("{seconds:.1} s"),
        10_000..120_000 => format!("{seconds:.0} s"),
        120_000..7_200_000 => format!("{:.0} min", seconds / 60.0),
        7_200_000..172_800_000 => format!("{:.0} h", seconds / 3_600.0),
        _ => format!("{:.0} d", seconds / 86_400.0),
    }
}

/// How long ago a wall-clock time was.
pub(crate) fn ago(now_ms: u64, then_ms: u64) -> String {
    format!("{} ago", span(Duration::from_millis(now_ms.saturating_sub(then_ms))))
}

/// The last millisecond that can be said in four figures of a year.
const LAST_MS: u64 = 253_402_300_799_999;

/// A wall-clock time, in UTC and to the millisecond. A file may hold any number: what comes after the last is said as the last.
pub(crate) fn clock_time(wall_ms: u64) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(wall_ms.min(LAST_MS));
    humantime::format_rfc3339_millis(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_said_in_the_unit_that_fits() {
        let said = |ms| span(Duration::from_millis(ms));
        assert_eq!(
            [said(0), said(999), said(1_250), said(45_000), said(600_000)],
            ["0 ms", "999 ms", "1.2 s", "45 s", "10 min"]
        );
        assert_eq!([said(36_000_000), said(864_000_000)], ["10 h", "10 d"]);
    }

    #[test]
    fn a_time_is_said_in_utc() {
        assert_eq!(clock_time(1_700_000_000_123), "2023-11-14T22:13:20.123Z");
        assert_eq!(clock_time(u64::MAX), "9999-12-31T23:59:59.999Z");
    }
}
