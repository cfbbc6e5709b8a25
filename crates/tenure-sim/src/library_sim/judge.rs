//! Whether the promises hold: asked of the guards themselves, whenever anything has happened.

use std::collections::BTreeMap;

use tenure::{Epoch, ShardId};

use super::work::Book;
use crate::faults::Healing;
use crate::promises::{Promise, Verdict, single_owner};
use crate::surroundings::ProcessNo;

/// Remembers the latest epoch of each shard that was acted for, and by which process.
#[derive(Debug, Default)]
pub(super) struct Acted(BTreeMap<ShardId, (Epoch, ProcessNo)>);

impl Acted {
    /// Looks at all guards; the clocks of all processes show the same moment.
    pub(super) fn look<'n>(
        &mut self,
        book: &Book,
        healing: &mut Healing,
        name: impl Fn(ProcessNo) -> &'n str,
    ) -> Verdict {
        let mut acting: BTreeMap<ShardId, (ProcessNo, Epoch)> = BTreeMap::new();
        let mut pieces = book.pieces();
        pieces.retain(|piece| piece.shard.strong_count() > 0);
        for piece in pieces.iter().filter(|piece| piece.acts()) {
            let (shard, epoch, no) = (piece.fence.shard, piece.fence.epoch, piece.process);
            if let Some((other, theirs)) = acting.insert(shard, (no, epoch)).filter(|(other, _)| *other != no)
            {
                return single_owner::clash(shard, (name(other), theirs), (name(no), epoch));
            }
            self.follows(shard, epoch, no, &name)?;
            healing.note_served(shard);
        }
        Ok(())
    }

    /// An epoch is one process's alone, and none comes back.
    fn follows<'n>(
        &mut self,
        shard: ShardId,
        epoch: Epoch,
        no: ProcessNo,
        name: impl Fn(ProcessNo) -> &'n str,
    ) -> Verdict {
        let (latest, by) = *self.0.entry(shard).or_insert((epoch, no));
        if epoch < latest || epoch == latest && by != no {
            let text =
                format!("{} acts for {shard:?} at {epoch:?}, after {} at {latest:?}", name(no), name(by));
            return Err((Promise::EpochsGrow, text));
        }
        self.0.insert(shard, (epoch, no));
        Ok(())
    }
}
