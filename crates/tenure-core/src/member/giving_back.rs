//! Giving back a promise, at an operator's word.
//!
//! An heir may act as soon as it has evidence that the owner's epoch has ended, and the ledger learns of that later. So nobody else
//! can take a promise to a living heir back: it is asked to decline, by its own record, and does so if it has not begun. Then its
//! epoch has ended, and P4 or P5 follows as for every heir that declines.

use super::claim::{Claim, Claims};
use super::machine::Machine;
use crate::ids::{Epoch, ShardId};
use crate::ledger::Book;
use crate::message::Action;
use crate::moment::Moment;
use crate::record::Released;

impl Machine {
    /// Declines what it is asked to give back and has not begun. What it has begun it keeps.
    pub(super) fn give_back(&mut self, now: Moment, out: &mut Vec<Action>) {
        if self.keeper.asked_back().is_empty() {
            return;
        }
        let asked = self.keeper.asked_back().clone();
        let Some(claims) = self.claims(now) else { return };
        let (promised, seen) = (promised(&claims, &asked), has_seen(claims.knowledge.book, &asked));
        self.with_seats(now, out, |seats, ground, deeds| seats.give_back(promised, ground, deeds));
        if seen {
            self.keeper.gave_back();
        }
    }
}

/// The epochs that are promised to us and asked back.
fn promised(claims: &Claims<'_>, asked: &Released) -> Vec<(ShardId, Epoch)> {
    let heirships = claims.all().into_iter().filter_map(|(shard, claim)| match claim {
        Claim::Heir { epoch, .. } => Some((shard, epoch)),
        Claim::Owner { .. } => None,
    });
    heirships.filter(|(shard, epoch)| asked.has(*shard, *epoch)).collect()
}

/// Whether the pages that we know are as new as what was asked. More than there are shards is not looked at.
fn has_seen(book: &Book, asked: &Released) -> bool {
    let each = asked.runs().flat_map(|(shards, epoch)| shards.map(move |shard| (ShardId(shard), epoch)));
    each.take(book.meta().shards as usize)
        .all(|(shard, epoch)| book.holding(shard).is_none_or(|holding| holding.top >= epoch))
}
