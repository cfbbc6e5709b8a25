//! What all members of a cluster agree on.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;

use super::{FORMAT, Incompatible, Key, SHARDS_MAX};
use crate::ids::Lineage;

/// How far the founding of the cluster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formation {
    /// Pages are being created; nobody joins.
    Forming,
    /// Every page is there; from now on none is ever created.
    Ready,
}

/// The record `meta`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Record format.
    pub v: u32,
    /// Which founding of the cluster this is.
    pub lineage: Lineage,
    /// How far the founding is.
    pub state: Formation,
    /// How many shards there are.
    pub shards: u32,
    /// How many shards one page holds; the last page may hold fewer.
    pub page_size: u32,
    /// The longest lease that a member of this cluster may have.
    pub ttl_max_ms: u64,
    /// The placement that all planners use, by name.
    pub placement: String,
    /// The version of the planning function; only members that know it move shards for balance.
    pub plan_version: u32,
    /// Whether shares are spread over zones first, then over the members of each.
    #[serde(default)]
    pub spread_zones: bool,
    /// Fields of a later version, kept as they are.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Meta {
    /// How many pages the ledger has.
    pub fn pages(&self) -> u32 {
        self.shards.div_ceil(self.page_size)
    }

    /// How many shards the page `number` holds.
    pub fn page_len(&self, number: u32) -> u32 {
        self.page_size.min(self.shards - number * self.page_size)
    }

    /// The longest lease that a member of this cluster may have.
    pub fn ttl_max(&self) -> Duration {
        Duration::from_millis(self.ttl_max_ms)
    }

    /// The record as bytes.
    pub fn encode(&self) -> Bytes {
        super::member::to_json(self)
    }

    /// Reads the record.
    ///
    /// # Errors
    /// [`Incompatible`] for bytes that this build does not understand.
    pub fn decode(bytes: &[u8]) -> Result<Self, Incompatible> {
        let wrong = |why: String| Incompatible { key: Key::Meta, why };
        let meta: Self = super::member::from_json(bytes).map_err(wrong)?;
        let in_range = (1..=SHARDS_MAX).contains(&meta.shards) && (1..=65_536).contains(&meta.page_size);
        match () {
            () if meta.v == 0 || meta.v > FORMAT => {
                Err(wrong(format!("format {} is not known here", meta.v)))
            }
            () if !in_range => Err(wrong(format!("{} shards in pages of {}", meta.shards, meta.page_size))),
            () if !(1..=86_400_000).contains(&meta.ttl_max_ms) => {
                Err(wrong(format!("ttl_max {} ms", meta.ttl_max_ms)))
            }
            () => Ok(meta),
        }
    }
}
