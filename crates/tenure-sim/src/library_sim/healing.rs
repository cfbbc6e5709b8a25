//! Everything is made whole, and then judged: as for machines, by what can be seen from outside.

use tenure_core::ids::ShardId;

use super::LibrarySim;
use super::run::Happening;
use crate::faults::{Damage, Rest};
use crate::promises::Verdict;
use crate::promises::settles::service;

impl LibrarySim<'_> {
    /// All faults stop. Whoever was leaving makes room, and so does one that waits for its first answer: a start is patient
    /// with its store, for longer than a lease may last.
    pub(super) fn heal(&mut self) {
        // What was begun to recover is recovered first.
        if self.around.forgetting.is_under_way() {
            let at = self.around.now + self.around.shape.ttl() / 10;
            return self.queue.put(at, Happening::Heal);
        }
        self.around.clear_faults();
        self.with.manners.tame();
        for no in 0..self.processes.len() {
            self.thaw(no);
            if self.processes[no].is_half_there() {
                self.crash(no);
            }
        }
        self.restore();
        self.restart_members();
        self.later(self.around.shape.ttl() / 10, Happening::Healed);
    }

    /// Most members that do not run start again; one at least runs and is not drained.
    fn restart_members(&mut self) {
        for member in 0..self.around.shape.members {
            if !self.is_up(member) && self.around.chance.in_10k(7_000) {
                self.start(member);
            }
        }
        let fit = |member: &usize| !self.around.stays_drained(*member);
        let fit: Vec<usize> = (0..self.around.shape.members).filter(fit).collect();
        if !fit.iter().any(|member| self.is_up(*member)) {
            self.start(fit[0]);
        }
    }

    /// Everything is whole: from now on it counts who is served.
    pub(super) fn healed(&mut self) {
        self.around.note("fault", || "everything is whole".into());
        self.around.healing.served = vec![false; self.around.shape.shards as usize];
        self.around.healing.ledger_changes = 0;
        self.later(self.around.service_bound(), Happening::Judge);
    }

    /// The time within which every shard must have an owner is over.
    pub(super) fn judge_service(&mut self) {
        let verdict = service::in_time(&self.around.healing.served);
        self.around.judge(verdict);
        self.settle();
    }

    /// Looks whether the ledger is at rest; if not yet, looks again later.
    pub(super) fn settle(&mut self) {
        match self.around.rest() {
            Rest::Rests => {
                let verdict = self.at_rest();
                self.around.judge(verdict);
                let verdict = self.around.orders_last();
                self.around.judge(verdict);
                self.over = true;
            }
            Rest::Restless => {
                let verdict = service::restless(self.around.healing.ledger_changes);
                self.around.judge(verdict);
            }
            Rest::NotBefore(at) => self.queue.put(at, Happening::Settle),
        }
    }

    /// The ledger has come to rest: every shard has an owner, and no move is left half done.
    fn at_rest(&self) -> Verdict {
        let acting: Vec<ShardId> = self.with.book.acting();
        let idle = (0..self.around.shape.shards).map(ShardId).find(|shard| !acting.contains(shard));
        service::is_owned(idle)?;
        service::no_heir_waits(&self.around.truth)
    }
}
