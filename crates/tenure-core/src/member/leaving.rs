//! Leaving (L5): hand everything on, detach for ever, and only then say `gone`.

use super::machine::Machine;
use crate::flaw::Flaw;
use crate::message::{Action, Ending};
use crate::moment::{Moment, Timing};

/// A member on its way out.
#[derive(Debug)]
pub(super) struct Leaving {
    since: Moment,
    hurry: bool,
    /// Nobody is there to take over: work is drained without heirs.
    pub alone: bool,
}

impl Leaving {
    pub(super) fn deadline(&self, timing: &Timing) -> Option<Moment> {
        (!self.hurry).then(|| self.since + timing.leave_limit)
    }
}

impl Machine {
    pub(super) fn leave(&mut self, now: Moment, hurry: bool) {
        let leaving = self.leaving.get_or_insert(Leaving { since: now, hurry, alone: false });
        leaving.hurry |= hurry;
        self.keeper.say(|said| !std::mem::replace(&mut said.leaving, true));
        self.seated = None;
    }

    pub(super) fn advance_leaving(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some(leaving) = &mut self.leaving else { return };
        let hurry = leaving.hurry || now >= leaving.since + self.config.timing.leave_limit;
        leaving.hurry = hurry;
        if self.keeper.life().is_none() {
            return self.leave_without_lease(now, out);
        }
        if hurry {
            self.interrupt_all(now, out);
        } else if !self.planning.has_others(&self.config.id) {
            self.drain_alone(now, out);
        }
        if self.tenancies.is_empty() || self.config.flaws.has(Flaw::GoneWithOpenGuard) {
            self.keeper.go(now);
        }
    }

    fn leave_without_lease(&mut self, now: Moment, out: &mut Vec<Action>) {
        if !self.tenancies.is_empty() {
            return;
        }
        if self.keeper.is_idle() || self.config.flaws.has(Flaw::JoinAbandoned) {
            self.end(Ending::Left, out);
        } else {
            self.with_keeper(now, out, |keeper, acts| keeper.withdraw(now, acts));
        }
    }

    pub(super) fn drain_alone(&mut self, now: Moment, out: &mut Vec<Action>) {
        if let Some(leaving) = &mut self.leaving {
            leaving.alone = true;
        }
        let until = now + self.config.timing.drain_limit;
        let shards: Vec<_> = self.tenancies.keys().copied().collect();
        for shard in shards {
            if let Some(tenancy) = self.tenancies.get_mut(&shard) {
                let verdict = tenancy.drain(None, until, out);
                self.judge(now, shard, verdict, out);
            }
        }
    }
}
