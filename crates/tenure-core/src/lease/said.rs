//! What this member says of itself in its record, beside the lease.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::{Epoch, ShardId};
use crate::record::{FAILING_MAX, Failing};

/// What this member says of itself. Whoever changes it asks the keeper to write soon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// It hands its shards on.
    pub leaving: bool,
    /// Epochs that it ended and the ledger may still name.
    pub released: BTreeMap<ShardId, BTreeSet<Epoch>>,
    /// Shards that it could not start.
    pub avoids: BTreeSet<ShardId>,
    /// Shards that it should own, under an external placement.
    pub wants: BTreeSet<ShardId>,
    /// Shards whose interrupted work does not end.
    pub stuck: BTreeSet<ShardId>,
    /// Shards whose work fails and is tried again.
    pub failing: BTreeMap<ShardId, Failing>,
}

impl Said {
    /// Every released epoch, in order.
    pub fn released(&self) -> impl Iterator<Item = (ShardId, Epoch)> {
        self.released.iter().flat_map(|(shard, epochs)| epochs.iter().map(|epoch| (*shard, *epoch)))
    }

    /// The failing shards that the record tells of.
    pub fn failing(&self) -> Vec<Failing> {
        self.failing.values().take(FAILING_MAX).cloned().collect()
    }

    /// The ledger has moved on: the release need not be said any more.
    pub fn forget(&mut self, shard: ShardId, epoch: Epoch) {
        if let Some(epochs) = self.released.get_mut(&shard) {
            epochs.remove(&epoch);
            if epochs.is_empty() {
                self.released.remove(&shard);
            }
        }
    }
}
