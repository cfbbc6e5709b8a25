//! Leaving (L5): hand everything on, detach for ever, and only then say `gone`.

use crate::moment::{Moment, Timing};
use crate::rules::Farewell;

/// A member on its way out.
#[derive(Debug)]
pub(super) struct Leaving {
    since: Moment,
    hurry: bool,
    /// Nobody is there to take over: work is drained without heirs.
    pub alone: bool,
}

impl Leaving {
    pub(super) fn new(now: Moment) -> Self {
        Self { since: now, hurry: false, alone: false }
    }

    pub(super) fn hurry(&mut self, hurry: bool) {
        self.hurry |= hurry;
    }

    pub(super) fn deadline(&self, timing: &Timing) -> Option<Moment> {
        (!self.hurry).then(|| self.since + timing.leave_limit)
    }

    /// How the shards are given up at `now`, if there are others to take them or not.
    pub(super) fn farewell(&mut self, now: Moment, timing: &Timing, has_others: bool) -> Farewell {
        self.hurry |= now >= self.since + timing.leave_limit;
        match (self.hurry, has_others) {
            (true, _) => Farewell::Interrupt,
            (false, true) => Farewell::HandOn,
            (false, false) => {
                self.alone = true;
                Farewell::Drain
            }
        }
    }
}
