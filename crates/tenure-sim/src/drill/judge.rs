//! Whether the promises hold: asked of the guards themselves, whenever anything has happened.

use std::collections::BTreeMap;

use tenure::{Epoch, ShardId};

use super::bench::Book;
use crate::oracle::{Invariant, Verdict};

/// Remembers who acted, and judges who acts.
#[derive(Debug, Default)]
pub(super) struct Judge {
    /// The latest epoch that was acted for, and by which process.
    latest: BTreeMap<ShardId, (Epoch, usize)>,
    /// The shards that somebody could act for since that was last forgotten.
    served: BTreeMap<ShardId, usize>,
}

impl Judge {
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
                return Err((Invariant::I1, format!("processes {other} and {process} may act for s{shard}")));
            }
            self.follows(shard, piece.fence.epoch, process)?;
        }
        self.served.extend(acting);
        Ok(())
    }

    /// An epoch is one process's alone, and none comes back.
    fn follows(&mut self, shard: ShardId, epoch: Epoch, process: usize) -> Verdict {
        let (latest, by) = *self.latest.entry(shard).or_insert((epoch, process));
        if epoch < latest || epoch == latest && by != process {
            let text = format!("s{shard} is acted for at epoch {epoch} by {process}, after {latest} by {by}");
            return Err((Invariant::I2, text));
        }
        self.latest.insert(shard, (epoch, process));
        Ok(())
    }

    /// From now on it counts who is served.
    pub(super) fn forget_served(&mut self) {
        self.served.clear();
    }

    /// Every shard must have been served since.
    pub(super) fn in_time(&self, shards: u32) -> Verdict {
        match (0..shards).map(ShardId).find(|shard| !self.served.contains_key(shard)) {
            Some(shard) => Err((Invariant::I6, format!("s{shard} had no owner in time"))),
            None => Ok(()),
        }
    }
}
