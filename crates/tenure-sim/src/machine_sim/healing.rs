//! Everything is made whole, and then judged: whoever was promised an owner must have one in time.
//!
//! ```text
//!  Heal ── faults stop, processes go on or start again ──► Healed ── 2·ttl ──► Judge ──► Settle … until the ledger rests
//! ```

use tenure_core::ids::ShardId;

use super::queue::Happening;
use super::{MachineSim, Proc};
use crate::faults::{Damage, Rest};
use crate::promises::settles::service;

impl MachineSim<'_> {
    /// All faults stop.
    pub(crate) fn heal(&mut self) {
        // What was begun to recover is recovered first.
        if self.around.forgetting.is_under_way() {
            let at = self.around.now + self.around.shape.ttl() / 10;
            return self.queue.put(at, Happening::Heal);
        }
        self.around.clear_faults();
        for no in 0..self.procs.len() {
            self.thaw(no);
        }
        self.restore();
        self.restart_members();
        self.work_is_tamed();
        self.tell_all_wants();
        self.queue.put(self.around.now + self.around.shape.ttl() / 10, Happening::Healed);
    }

    /// Most members that do not run start again; one at least runs and stays.
    fn restart_members(&mut self) {
        for member in 0..self.around.shape.members {
            if !self.is_up(member) && self.around.chance.in_10k(7_000) {
                self.start(member);
            }
        }
        self.ensure_somebody_stays();
    }

    fn ensure_somebody_stays(&mut self) {
        if !self.somebody_stays() {
            let down = |member: &usize| !self.is_up(*member) && !self.around.stays_drained(*member);
            let down = (0..self.around.shape.members).find(down);
            self.start_anew(down);
        }
    }

    fn start_anew(&mut self, down: Option<usize>) {
        let member = down.unwrap_or_else(|| {
            let leaves = |proc: &Proc| proc.lives() && !self.around.stays_drained(proc.member);
            let leaving = self.procs.iter().position(leaves).unwrap_or_default();
            self.kill(leaving, "it makes room for one that stays");
            self.procs[leaving].member
        });
        self.start(member);
    }

    fn somebody_stays(&self) -> bool {
        let stays = |proc: &Proc| proc.lives() && !proc.leaving && !self.around.stays_drained(proc.member);
        self.procs.iter().any(stays)
    }

    /// Everything is whole.
    pub(crate) fn healed(&mut self) {
        // The last one may have thawed only to find its lease over and its work stuck, and have aborted itself; whoever
        // supervises it starts it again.
        self.ensure_somebody_stays();
        self.around.note("fault", || "everything is whole".into());
        let shards = (0..self.around.shape.shards).map(ShardId);
        self.around.healing.served = shards.map(|shard| service::is_served(self.scene(), shard)).collect();
        self.around.healing.ledger_changes = 0;
        self.tell_all_wants();
        self.queue.put(self.around.now + self.around.service_bound(), Happening::Judge);
    }

    /// The time within which every shard must have an owner is over.
    pub(crate) fn judge_service(&mut self) {
        self.judge(service::in_time(&self.around.healing.served));
        self.settle();
    }

    /// Looks whether the ledger is at rest; if not yet, looks again later.
    pub(crate) fn settle(&mut self) {
        match self.around.rest() {
            Rest::Rests => {
                self.judge(service::at_rest(self.scene()));
                self.judge(self.around.orders_last());
                self.done = true;
            }
            Rest::Restless => self.judge(service::restless(self.around.healing.ledger_changes)),
            Rest::NotBefore(at) => self.queue.put(at, Happening::Settle),
        }
    }
}
