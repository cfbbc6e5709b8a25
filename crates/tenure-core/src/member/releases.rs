//! The epochs that this life ended. It remembers them to its end, even after its record has forgotten them (W1).

use std::collections::BTreeMap;

use crate::ids::{Epoch, ShardId};

/// The highest epoch that this life ended, for each shard.
#[derive(Debug, Default)]
pub(super) struct Releases {
    highest: BTreeMap<ShardId, Epoch>,
    /// Grows with every release.
    count: u64,
}

impl Releases {
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Whether this life ended an epoch of a shard.
    pub(super) fn has(&self, shard: ShardId, epoch: Epoch) -> bool {
        self.highest.get(&shard).is_some_and(|highest| *highest >= epoch)
    }

    pub(super) fn note(&mut self, shard: ShardId, epoch: Epoch) {
        self.count += 1;
        let highest = self.highest.entry(shard).or_insert(epoch);
        *highest = epoch.max(*highest);
    }

    /// The seeded bug of a life that does not remember.
    pub(super) fn note_nothing(&mut self) {
        self.count += 1;
    }

    /// A new life has ended nothing yet.
    pub(super) fn clear(&mut self) {
        self.highest.clear();
    }
}
