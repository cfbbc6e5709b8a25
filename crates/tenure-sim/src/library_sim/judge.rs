//! Whether the promises hold: asked of the guards themselves, whenever anything has happened.

use std::collections::BTreeMap;

use tenure::{Epoch, ShardId};

use super::bench::Book;
use crate::promises::settles::service;
use crate::promises::{Promise, Verdict};

/// Remembers who acted, and judges who acts.
#[derive(Debug)]
pub(super) struct Judge {
    /// The latest epoch that was acted for, and by which process.
    latest: BTreeMap<ShardId, (Epoch, usize)>,
    /// By shard, whether somebody could act for it since that was last forgotten.
    served: Vec<bool>,
}

impl Judge {
    /// One that has seen nobody act for any of the shards.
    pub(super) fn new(shards: u32) -> Self {
        Self { latest: BTreeMap::new(), served: vec![false; shards as usize] }
    }

    /// Looks at all guards; the clocks of all processes show the same moment.
    pub(super) fn look(&mut self, book: &Book) -> Verdict {
        let mut acting: BTreeMap<ShardId, usize> = BTreeMap::new();
        let mut pieces = book.pieces();
        pieces.retain(|piece| piece.shard.strong_count() > 0);
        for piece in pieces.iter() {
            if piece.shard.upgrade().is_none_or(|shard| !shard.holds()) {
                continue;
            }
            let (shard, process) = (piece.fence.shard, piece.process);
            if let Some(other) = acting.insert(shard, process).filter(|other| *other != process) {
                return Err((
                    Promise::SingleOwner,
                    format!("processes {other} and {process} may act for s{shard}"),
                ));
            }
            self.follows(shard, piece.fence.epoch, process)?;
        }
        acting.into_keys().for_each(|shard| self.served[shard.0 as usize] = true);
        Ok(())
    }

    /// An epoch is one process's alone, and none comes back.
    fn follows(&mut self, shard: ShardId, epoch: Epoch, process: usize) -> Verdict {
        let (latest, by) = *self.latest.entry(shard).or_insert((epoch, process));
        if epoch < latest || epoch == latest && by != process {
            let text = format!("s{shard} is acted for at epoch {epoch} by {process}, after {latest} by {by}");
            return Err((Promise::EpochsGrow, text));
        }
        self.latest.insert(shard, (epoch, process));
        Ok(())
    }

    /// From now on it counts who is served.
    pub(super) fn forget_served(&mut self) {
        self.served.fill(false);
    }

    /// Every shard must have been served since.
    pub(super) fn in_time(&self) -> Verdict {
        service::in_time(&self.served)
    }
}
