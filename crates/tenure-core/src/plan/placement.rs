//! The placements, by name.

/// How shards are divided, chosen per cluster and stored in `meta` so that all members agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Each shard prefers the member with the highest weighted score: well mixed, no order.
    #[default]
    Rendezvous,
    /// Consistent hashing with virtual nodes per weight.
    Ring,
    /// Contiguous runs of shards, balanced by member order.
    Ranges,
    /// Someone else says who should own what.
    External,
}
