//! The whole picture, as `GET /api/v1/picture` and the first event of the stream tell it.

use serde::Serialize;

use super::{Cells, Member, Sight};

/// Everything that is to be seen at one time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Picture {
    /// Numbers the states of one dashboard process; events of the stream carry on from it.
    pub seq: u64,
    /// When this was put together.
    pub at_ms: u64,
    /// The cluster's name.
    pub cluster: String,
    /// Where its records are.
    pub store: StorePlace,
    /// Whether the store answers, and since when.
    pub sight: Sight,
    /// How many shards there are; 0 until the cluster was seen.
    pub shard_count: u32,
    /// The longest lease that a member may have; 0 until the cluster was seen.
    pub ttl_max_ms: u64,
    /// The placement that all planners use, such as `rendezvous`; empty until the cluster was seen.
    pub placement: String,
    /// Whether shares are spread over zones first.
    pub spread_zones: bool,
    /// All members that have a record, and those whose record was removed since the picture began.
    pub members: Vec<Member>,
    /// All shards, in order.
    pub shards: Cells,
    /// What is wrong and needs a person, in words.
    pub problems: Vec<String>,
    /// What can be asked for here.
    pub can: Can,
    /// The version of the dashboard.
    pub version: &'static str,
}

/// Where the records are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StorePlace {
    /// What kind of store, such as `sqlite`.
    pub kind: &'static str,
    /// Its address, without secrets.
    pub address: String,
}

/// What can be asked for here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Can {
    /// Whether there are tokens, so that people may act.
    pub act: bool,
    /// Whether members can be killed, frozen and cut off: in `tenure up` only.
    pub playground: bool,
}
