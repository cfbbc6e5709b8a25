//! What tests of this module share.

use tenure_core::ids::{Epoch, Lineage, ShardId};

use super::{Author, Place, Run};

pub(super) fn place() -> Place {
    Place { journal: "counter".parse().unwrap(), shard: ShardId(3) }
}

pub(super) fn author(epoch: u64) -> Author {
    Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) }
}
