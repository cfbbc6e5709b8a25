//! W4: an owner that the ledger names no more stops at once.
//!
//! By the other rules this can't happen: an entry changes only after the life that it names has ended it (W2). But a store may
//! forget, and somebody with the right to write may write what is not true. Then two may act, each with good reason; whoever
//! reads that it was overruled stops, so that what would last for ever lasts for one look.

use super::machine::Machine;
use crate::flaw::Flaw;
use crate::ids::{Life, ShardId};
use crate::message::{Action, Notice};
use crate::moment::Moment;
use crate::record::Holding;

impl Machine {
    /// Ends the work of every shard whose entry names us no more.
    pub(super) fn stop_overruled(&mut self, now: Moment, life: &Life, out: &mut Vec<Action>) {
        if self.config.flaws.has(Flaw::OverruledGoesOn) {
            return;
        }
        for (shard, notice) in self.overruled(life) {
            out.push(Action::Notice(notice));
            if let Some(tenancy) = self.tenancies.get_mut(&shard) {
                let verdict = tenancy.interrupt(now, out);
                self.judge(now, shard, verdict, out);
            }
        }
    }

    fn overruled(&self, life: &Life) -> Vec<(ShardId, Notice)> {
        let Some(book) = &self.book else { return Vec::new() };
        let working = self.tenancies.iter().filter(|(_, tenancy)| !tenancy.is_ending());
        let found = working.filter_map(|(shard, tenancy)| {
            let (holding, epoch) = (book.holding(*shard)?, tenancy.seat().epoch());
            let named = self.owns(life, holding) && holding.epoch == epoch
                || self.inherits(life, holding)
                    && holding.heir.as_ref().is_some_and(|heir| heir.epoch == epoch);
            (!named).then(|| (*shard, told(*shard, holding)))
        });
        found.collect()
    }
}

fn told(shard: ShardId, holding: &Holding) -> Notice {
    Notice::Overruled { shard, owner: holding.owner.clone(), epoch: holding.epoch }
}
