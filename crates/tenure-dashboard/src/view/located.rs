//! Who owns the shard of a key.

use serde::Serialize;

/// What `GET /api/v1/owner?key=…` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Located {
    /// The shard of the key: the same for everybody, for as long as the cluster has so many shards.
    pub shard: u32,
    /// Who owns it; null if nobody does, or if that can't be read.
    pub owner: Option<String>,
    /// The owner's epoch; that of the last one, if there is none.
    pub epoch: u64,
    /// Who takes it next.
    pub heir: Option<String>,
}
