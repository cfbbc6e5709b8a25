//! The reaper: keeps its vigil, sets its timer, ends what is left and says the last word.

use std::time::Duration;

use tenure_core::moment::Moment;
use tenure_core::warden::{Vigil, Vote};

use super::flaw::HelperFlaw;
use super::kernel::{Kernel, Parent, Slate, Who};

/// What the reaper knows.
#[derive(Debug)]
pub(super) struct Reaper {
    vigil: Vigil,
    beat: Duration,
    next: Moment,
    orphaned: bool,
    /// It has said that the guard is off, and has not looked yet.
    said: bool,
}

impl Reaper {
    pub(super) fn new(allowance: Duration, beat: Duration) -> Self {
        Self { vigil: Vigil::new(allowance), beat, next: Moment::ZERO, orphaned: false, said: false }
    }

    /// One turn, if anything wakes it.
    pub(super) fn turn(&mut self, kernel: &mut Kernel, slate: &mut Slate) {
        if !kernel.task(Who::Warden).alive {
            return self.bury_all(kernel);
        }
        let orphaned = !kernel.task(Who::Member).alive;
        if kernel.now >= self.next || slate.hint || orphaned != self.orphaned || self.said {
            slate.hint = false;
            self.watch(kernel, slate, orphaned);
        }
    }

    /// What the shipped one does without a pause is two turns here: anything may happen in between.
    fn watch(&mut self, kernel: &mut Kernel, slate: &mut Slate, orphaned: bool) {
        let now = kernel.now;
        slate.reaper_pulse = now.as_nanos();
        if orphaned && !self.orphaned {
            self.orphaned = true;
            self.vigil.orphaned(now);
        }
        if !self.said {
            self.vigil.lease(now, slate.term);
            if self.vigil.asks(now) {
                (slate.guard, self.said) = (None, true);
                return;
            }
        } else {
            self.said = false;
            self.look(kernel);
            self.vigil.lease(now, slate.term);
        }
        let guard = self.vigil.guard();
        kernel.timer = guard.filter(|_| !kernel.has(HelperFlaw::NoGuard));
        slate.guard = guard.filter(|_| self.vigil.is_guarding());
        let beat = now + self.beat;
        self.next = self.vigil.deadline().map_or(beat, |look| look.min(beat));
    }

    fn look(&mut self, kernel: &mut Kernel) {
        let below = kernel.living(|kid| kid.parent == Parent::Ours(Who::Warden));
        let busy = !below.is_empty() && !kernel.has(HelperFlaw::BlindReaper);
        if self.vigil.seen(kernel.now, busy) == Vote::Kill {
            kernel.kill(Who::Warden);
            if !kernel.has(HelperFlaw::WardenAlone) {
                below.into_iter().for_each(|kid| kernel.kill_kid(kid));
            }
        }
    }

    fn bury_all(&self, kernel: &mut Kernel) {
        if !kernel.is_gone(Who::Warden) {
            return;
        }
        let left = kernel.living(|kid| kid.parent == Parent::Ours(Who::Reaper));
        if left.is_empty() || kernel.has(HelperFlaw::EarlyWord) {
            kernel.word = true;
            return kernel.exit(Who::Reaper);
        }
        left.into_iter().for_each(|kid| kernel.kill_kid(kid));
    }
}
