//! The epochs that this life ended. It remembers them to its end, even after its record has forgotten them (W1).

use std::collections::BTreeMap;

use crate::Rules;
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

    pub(super) fn note(&mut self, shard: ShardId, epoch: Epoch, rules: Rules) {
        self.count += 1;
        let before = self.highest.get(&shard).copied();
        self.highest.insert(shard, rules.highest_released(before, epoch));
    }

    /// The record says some of them no more.
    pub(super) fn outlast_the_record(&mut self, rules: Rules) {
        self.highest = rules.outlasting(std::mem::take(&mut self.highest));
    }

    /// A new life has ended nothing yet.
    pub(super) fn clear(&mut self) {
        self.highest.clear();
    }
}
