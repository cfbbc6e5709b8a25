//! Giving back a promise, at an operator's word.
//!
//! An heir may act as soon as it has evidence that the owner's epoch has ended, and the ledger learns of that later. So nobody else
//! can take a promise to a living heir back: it is asked to decline, by its own record, and does so if it has not begun. Then its
//! epoch has ended, and P4 or P5 follows as for every heir that declines.

use super::Action;
use super::machine::Machine;
use crate::ids::{Epoch, Life, ShardId};
use crate::moment::Moment;
use crate::record::Released;

impl Machine {
    /// Declines what it is asked to give back and has not begun. What it has begun it keeps.
    pub(super) fn give_back(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some(life) = self.keeper.life().filter(|_| !self.keeper.asked_back().is_empty()) else { return };
        let life = life.clone();
        let asked = self.keeper.asked_back().clone();
        for (shard, epoch) in self.promises_to(&life) {
            let begun = self.tenancies.get(&shard).is_some_and(|tenancy| !tenancy.is_warming());
            if asked.has(shard, epoch) && !begun {
                self.decline(now, shard, epoch, out);
            }
        }
        if self.has_seen(&asked) {
            self.keeper.gave_back();
        }
    }

    fn promises_to(&self, life: &Life) -> Vec<(ShardId, Epoch)> {
        let heirs =
            self.concerning(life).into_iter().filter_map(|(shard, holding)| Some((shard, holding.heir?)));
        heirs.filter(|(_, heir)| heir.life == *life).map(|(shard, heir)| (shard, heir.epoch)).collect()
    }

    /// Whether the pages that we know are as new as what was asked. More than there are shards is not looked at.
    fn has_seen(&self, asked: &Released) -> bool {
        let Some(book) = &self.book else { return false };
        let each = asked.runs().flat_map(|(shards, epoch)| shards.map(move |shard| (ShardId(shard), epoch)));
        each.take(book.meta().shards as usize)
            .all(|(shard, epoch)| book.holding(shard).is_none_or(|holding| holding.top >= epoch))
    }
}
