//! How often the same thing is told again: at once, and then at growing intervals, for as long as it stays so.
//!
//! A member that waits tries five times a second. People who read its log want to hear why once, and then that it is still so.

use std::time::Duration;

use tenure_core::moment::Moment;

/// The time until a thing is told again for the first time; it doubles with each further time.
const FIRST: Duration = Duration::from_secs(10);

/// The longest such time.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// What was told last, and when it may be told again.
#[derive(Debug, Default)]
pub(super) struct Reminder {
    told: Option<Told>,
}

#[derive(Debug)]
struct Told {
    what: String,
    since: Moment,
    again_at: Moment,
    interval: Duration,
}

impl Reminder {
    /// Since how long it is so, if `what` is to be told now.
    pub(super) fn due(&mut self, now: Moment, what: &str) -> Option<Duration> {
        match self.told.as_mut().filter(|told| told.what == what) {
            None => {
                let (since, again_at) = (now, now + FIRST);
                self.told = Some(Told { what: what.into(), since, again_at, interval: FIRST });
                Some(Duration::ZERO)
            }
            Some(told) if now >= told.again_at => {
                told.interval = (told.interval * 2).min(LONGEST);
                told.again_at = now + told.interval;
                Some(now.since(told.since))
            }
            Some(_) => None,
        }
    }

    /// It is over: should it come again, that is news.
    pub(super) fn over(&mut self) {
        self.told = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment::from_nanos(1_000_000_000_000);

    /// The seconds at which `what` is told, if it is so five times a second for so many seconds.
    fn told_at(reminder: &mut Reminder, seconds: u64) -> Vec<u64> {
        let ticks = (0..seconds * 5).map(|tick| NOW + Duration::from_millis(tick * 200));
        ticks.filter(|now| reminder.due(*now, "x").is_some()).map(|now| now.since(NOW).as_secs()).collect()
    }

    #[test]
    fn the_same_is_told_at_once_and_then_at_growing_intervals() {
        assert_eq!(
            told_at(&mut Reminder::default(), 3_000),
            [0, 10, 30, 70, 150, 310, 630, 1_230, 1_830, 2_430]
        );
    }

    #[test]
    fn something_else_is_told_at_once() {
        let mut reminder = Reminder::default();
        assert_eq!(reminder.due(NOW, "x"), Some(Duration::ZERO));
        assert_eq!(reminder.due(NOW, "y"), Some(Duration::ZERO));
        assert_eq!(reminder.due(NOW, "y"), None);
    }

    #[test]
    fn what_was_over_and_comes_again_is_news() {
        let mut reminder = Reminder::default();
        assert!(reminder.due(NOW, "x").is_some());
        reminder.over();
        assert_eq!(reminder.due(NOW + Duration::from_secs(1), "x"), Some(Duration::ZERO));
    }
}
