//! How often to look: a move is over in a few looks, which may follow one another; in the long run, hints of a busy store
//! must not make the dashboard its busiest reader.

use std::time::Duration;

use tenure::clock::Clock;
use tenure_core::moment::Moment;

/// In the long run, the least time between two looks.
const PACE: Duration = Duration::from_millis(100);

/// So many looks may follow one another without a pause: a move is over in a few.
const BURST: u32 = 20;

/// Lets a few looks follow one another, and then one now and then.
#[derive(Debug)]
pub(super) struct Pace {
    left: u32,
    since: Moment,
}

impl Pace {
    pub(super) fn new(clock: &Clock) -> Self {
        Self { left: BURST, since: clock.now() }
    }

    pub(super) async fn wait(&mut self, clock: &Clock) {
        let pause = self.next(clock.now());
        clock.sleep(pause).await;
    }

    /// How long to wait from `now` on.
    fn next(&mut self, now: Moment) -> Duration {
        let spared = now.since(self.since).as_nanos() / PACE.as_nanos();
        let spared = u32::try_from(spared).unwrap_or(u32::MAX);
        self.left = self.left.saturating_add(spared).min(BURST);
        if spared > 0 {
            self.since = now;
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Duration::ZERO
            }
            None => PACE.saturating_sub(now.since(self.since)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Moment {
        Moment::from_nanos(millis * 1_000_000)
    }

    #[test]
    fn a_burst_is_let_through_and_then_one_now_and_then() {
        let mut pace = Pace { left: BURST, since: at(0) };
        assert!((0..BURST).all(|_| pace.next(at(1)).is_zero()));
        assert_eq!(pace.next(at(1)), Duration::from_millis(99));
        assert_eq!(pace.next(at(100)), Duration::ZERO);
        assert_eq!(pace.next(at(101)), Duration::from_millis(99));
    }

    #[test]
    fn after_a_rest_there_is_a_burst_again() {
        let mut pace = Pace { left: 0, since: at(0) };
        assert!((0..BURST).all(|_| pace.next(at(60_000)).is_zero()));
        assert!(!pace.next(at(60_000)).is_zero());
    }
}
