//! The answers, as JSON. Names stay, new ones may be added.

use std::sync::Arc;

use serde::Serialize;
use tenure::cluster::{Standing, Whereabouts};

use super::Drawn;

/// Where one shard is: the answer of `/v1/owner` and `/v1/shards/N`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The cluster.
    pub cluster: String,
    /// How many shards it has.
    pub shards: u32,
    /// The shard, and who has it.
    #[serde(flatten)]
    pub whereabouts: Whereabouts,
    /// How long ago the store was last looked at, in milliseconds: as old is the answer.
    pub seen_ago_ms: u64,
}

/// Who has a shard, as events tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Owner {
    /// The shard.
    pub shard: u32,
    /// How sure it is that somebody serves it.
    pub state: Standing,
    /// Its owner; null if it has none.
    pub owner: Option<String>,
    /// The owner's epoch; that of the last one, if there is none.
    pub epoch: u64,
    /// Where the owner is reached, by its own word.
    pub address: Option<Arc<str>>,
    /// Who takes it next; left out if nobody does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heir: Option<String>,
    /// Where the heir is reached; left out if nobody takes it, or if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heir_address: Option<Arc<str>>,
}

impl From<Whereabouts> for Owner {
    fn from(found: Whereabouts) -> Self {
        Self {
            shard: found.shard.0,
            state: found.state,
            owner: found.owner.map(|id| id.to_string()),
            epoch: found.epoch.0,
            address: found.address,
            heir: found.heir.map(|id| id.to_string()),
            heir_address: found.heir_address,
        }
    }
}

/// The events `all`, which is the whole picture, and `changed`, which are those that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Owners {
    /// The cluster.
    pub cluster: String,
    /// How many shards it has.
    pub shards: u32,
    /// When this was told, in milliseconds since 1970, by the clock of the process that tells.
    pub at_ms: u64,
    /// How long before that the store was last looked at, in milliseconds.
    pub seen_ago_ms: u64,
    /// Who has which shard, in order.
    pub owners: Vec<Owner>,
}

/// The event `beat`: nothing changed, and the stream lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Beat {
    /// When this was told.
    pub at_ms: u64,
    /// How long before that the store was last looked at, in milliseconds; null if it never was.
    pub seen_ago_ms: Option<u64>,
}

/// Everybody, by what is known.
pub(super) fn owners(drawn: &Drawn) -> Vec<Owner> {
    Whereabouts::all(&drawn.survey, drawn.drawn_ago_ms).into_iter().map(Owner::from).collect()
}
