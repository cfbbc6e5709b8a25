//! What the parts of a member want said in its record: one word each, and whether it can wait for the next renewal.

use std::collections::BTreeSet;

use super::said::Said;
use crate::ids::{Epoch, ShardId};
use crate::record::Failing;

/// One thing to say, or to say no more.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// It hands its shards on.
    Leaving,
    /// It should own these shards, under an external placement.
    Wants(BTreeSet<ShardId>),
    /// It ended an epoch.
    Released(ShardId, Epoch),
    /// It could not start a shard.
    Avoids(ShardId),
    /// A shard may be tried here again.
    Forgives(ShardId),
    /// The interrupted work of a shard does not end.
    Stuck(ShardId),
    /// The work of a shard fails and is tried again, or does so no more.
    Fails(ShardId, Option<Failing>),
    /// All work of a shard has ended: it is neither stuck nor failing.
    Over(ShardId),
}

/// When a word is to be in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// As soon as the call under way allows.
    Now,
    /// With the next renewal.
    Later,
    /// It is there already.
    Never,
}

impl Said {
    /// Takes a word in, and says when it is to be written.
    pub(super) fn take(&mut self, word: Word) -> Urgency {
        match word {
            Word::Leaving => urgent(!std::mem::replace(&mut self.leaving, true)),
            Word::Wants(shards) => urgent(std::mem::replace(&mut self.wants, shards) != self.wants),
            Word::Released(shard, epoch) => urgent(self.released.entry(shard).or_default().insert(epoch)),
            Word::Avoids(shard) => urgent(self.avoids.insert(shard)),
            Word::Stuck(shard) => urgent(self.stuck.insert(shard)),
            Word::Forgives(shard) => patient(self.avoids.remove(&shard)),
            Word::Fails(shard, failing) => patient(self.fails(shard, failing)),
            Word::Over(shard) => patient(self.stuck.remove(&shard) | self.failing.remove(&shard).is_some()),
        }
    }

    fn fails(&mut self, shard: ShardId, failing: Option<Failing>) -> bool {
        let before = match failing.clone() {
            Some(failing) => self.failing.insert(shard, failing),
            None => self.failing.remove(&shard),
        };
        before != failing
    }
}

fn urgent(changed: bool) -> Urgency {
    if changed { Urgency::Now } else { Urgency::Never }
}

/// Work may fail often: the record need not be written each time.
fn patient(changed: bool) -> Urgency {
    if changed { Urgency::Later } else { Urgency::Never }
}
