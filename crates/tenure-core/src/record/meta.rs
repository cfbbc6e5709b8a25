//! What all members of a cluster agree on.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::{
    Incompatible, Key, META_BYTES_MAX, PAGE_SIZE_MAX, PAGES_MAX, SHARDS_MAX, TTL_MAX_MS, Unknown, json,
};
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
    #[serde(flatten, skip_deserializing)]
    pub extra: Unknown,
}

impl Meta {
    /// How many pages the ledger has.
    pub fn pages(&self) -> u32 {
        self.shards.div_ceil(self.page_size)
    }

    /// How many shards the page `number` holds; none, if there is no such page.
    pub fn page_len(&self, number: u32) -> u32 {
        let before = number.saturating_mul(self.page_size);
        self.page_size.min(self.shards.saturating_sub(before))
    }

    /// The longest lease that a member of this cluster may have.
    pub fn ttl_max(&self) -> Duration {
        Duration::from_millis(self.ttl_max_ms)
    }

    /// The record as bytes.
    pub fn encode(&self) -> Bytes {
        json::encode(self)
    }

    /// Reads the record.
    ///
    /// # Errors
    /// [`Incompatible`] for bytes that this build does not understand.
    pub fn decode(bytes: &[u8]) -> Result<Self, Incompatible> {
        let wrong = |why: String| Incompatible { key: Key::Meta, why };
        let (meta, extra) = json::decode_with_unknown(bytes, META_BYTES_MAX).map_err(wrong)?;
        let meta = Self { extra, ..meta };
        meta.check().map_err(wrong)?;
        Ok(meta)
    }

    fn check(&self) -> Result<(), String> {
        json::check_format(self.v)?;
        if !(1..=SHARDS_MAX).contains(&self.shards) || !(1..=PAGE_SIZE_MAX).contains(&self.page_size) {
            return Err(format!("{} shards in pages of {} are out of range", self.shards, self.page_size));
        }
        if self.pages() > PAGES_MAX {
            return Err(format!("it has {} pages, more than {PAGES_MAX}", self.pages()));
        }
        if !(1..=TTL_MAX_MS).contains(&self.ttl_max_ms) {
            return Err(format!("ttl_max of {} ms is out of range", self.ttl_max_ms));
        }
        Ok(())
    }
}
