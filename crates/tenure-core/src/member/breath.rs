//! How often something may be done that anybody's word can cause: a few times at once, then no faster than breath comes back.
//!
//! Without that, whoever makes a member look makes it look as fast as the store answers: stale listings that show now this and now
//! that, or a stranger who tells of changes that never were.

use std::time::Duration;

use crate::moment::Moment;

/// How much may follow at once.
const BREATHS: u32 = 8;

/// What is left of it.
#[derive(Debug)]
pub(super) struct Breath {
    /// After so long one more comes back.
    each: Duration,
    /// When all of it is back.
    rested_at: Moment,
}

impl Breath {
    /// All of it is back after `span`.
    pub(super) fn over(span: Duration) -> Self {
        Self { each: span / BREATHS, rested_at: Moment::ZERO }
    }

    /// When there is enough for one.
    pub(super) fn earliest(&self) -> Moment {
        self.rested_at - self.each * BREATHS
    }

    /// Takes one.
    pub(super) fn take(&mut self, now: Moment) {
        self.rested_at = self.rested_at.max(now) + self.each;
    }

    /// Gives one back: it was well spent.
    pub(super) fn give_back(&mut self) {
        self.rested_at = self.rested_at - self.each;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Duration = Duration::from_millis(800);
    const NOW: Moment = Moment::from_nanos(1_000_000_000_000);

    #[test]
    fn a_few_at_once_and_then_one_after_the_other() {
        let (mut breath, mut at_once) = (Breath::over(SPAN), 0);
        while breath.earliest() <= NOW {
            breath.take(NOW);
            at_once += 1;
        }
        assert_eq!((at_once, breath.earliest()), (BREATHS + 1, NOW + SPAN / BREATHS));
    }

    #[test]
    fn what_was_well_spent_costs_nothing() {
        let mut breath = Breath::over(SPAN);
        for _ in 0..1000 {
            breath.take(NOW);
            breath.give_back();
        }
        assert!(breath.earliest() <= NOW);
    }
}
