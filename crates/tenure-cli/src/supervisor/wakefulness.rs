//! Whether the member was awake when its helpers ended: then it knows when that was, and may write it down.
//!
//! A member that was frozen finds its helpers dead when it wakes. It can't tell since when, and must not say "now": others have
//! owned the shards meanwhile, as they should, and a history with that end would refute it.

use std::time::Duration;

use tenure_core::moment::Moment;

/// Whether the member has been awake: it looks at its helpers so often that a pause shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wakefulness {
    every: Duration,
    last: Moment,
    /// When it woke, having slept for too long.
    woke: Moment,
}

impl Wakefulness {
    /// The member looks `every` so often, from now on.
    pub(super) fn new(now: Moment, every: Duration) -> Self {
        Self { every, last: now, woke: now }
    }

    /// A look.
    pub(super) fn look(&mut self, now: Moment) {
        if self.has_overslept(now) {
            self.woke = now;
        }
        self.last = now;
    }

    /// Whether the end of a helper that was last known alive at `beat` was seen when it came.
    pub(super) fn saw_the_end(&self, now: Moment, beat: Moment) -> bool {
        !self.has_overslept(now) && self.woke <= beat
    }

    fn has_overslept(&self, now: Moment) -> bool {
        now.since(self.last) > self.every * 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Moment {
        Moment::ZERO + Duration::from_millis(millis)
    }

    fn wakefulness() -> Wakefulness {
        let mut wakefulness = Wakefulness::new(at(0), Duration::from_millis(100));
        (1..=10).for_each(|look| wakefulness.look(at(look * 100)));
        wakefulness
    }

    #[test]
    fn whoever_was_awake_has_seen_the_end_however_long_the_pulse_was_missed() {
        assert!(wakefulness().saw_the_end(at(1050), at(400)));
    }

    #[test]
    fn whoever_slept_has_not_whether_it_looked_since_or_not() {
        let mut wakefulness = wakefulness();
        assert!(!wakefulness.saw_the_end(at(5000), at(990)));
        wakefulness.look(at(5000));
        assert!(!wakefulness.saw_the_end(at(5001), at(990)));
        assert!(wakefulness.saw_the_end(at(5001), at(5000)), "that helper lived on after we woke");
    }
}
