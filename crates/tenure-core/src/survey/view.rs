//! The picture: plain data that tests assert, `status` prints and the dashboard draws.

use std::sync::Arc;

use serde::Serialize;

use crate::ids::{Epoch, Incarnation, MemberId, ShardId};
use crate::record::{Failing, StepTaken};

/// A whole cluster, as it was last seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Survey {
    /// How many shards the cluster has; zero until the cluster is found.
    pub shards: u32,
    /// All members that have a record.
    pub members: Vec<MemberView>,
    /// The ledger, as far as it can be read.
    pub holdings: Vec<HoldingView>,
    /// Shards of which it is known that nobody owns them.
    pub unowned: Vec<ShardId>,
    /// What is wrong and needs a person, in words.
    pub problems: Vec<String>,
}

/// One member, as it was last seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberView {
    /// Its name.
    pub id: MemberId,
    /// Its life.
    pub incarnation: Option<Incarnation>,
    /// `active`, `drained`, `leaving`, `silent`, `gone`, `deposed`, or `unreadable`.
    pub state: &'static str,
    /// Who closed its record, if it was another.
    pub by: Option<MemberId>,
    /// Whether an operator asks that it hand its shards on, whatever its state.
    pub drained: bool,
    /// Grows with every renewal of one life.
    pub seq: u64,
    /// How long ago its last renewal was, in milliseconds.
    pub renewed_ago_ms: u64,
    /// The length of its lease, in milliseconds.
    pub ttl_ms: u64,
    /// Its share.
    pub weight: u32,
    /// Its failure domain.
    pub zone: Option<String>,
    /// Where others reach it, by its own word; `None` if it says nothing that can be shown.
    pub address: Option<Arc<str>>,
    /// Its software.
    pub version: String,
    /// The shards that it owns.
    pub holds: Vec<ShardId>,
    /// Shards whose work does not end although it was interrupted, by its own word.
    pub stuck: Vec<ShardId>,
    /// Shards whose work fails and is tried again, by its own word.
    pub failing: Vec<Failing>,
}

impl MemberView {
    /// How many shards it owns to no avail: their work fails again and again, or does not end.
    pub fn idle(&self) -> usize {
        self.failing.len() + self.stuck.len()
    }
}

/// One shard of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HoldingView {
    /// The shard.
    pub shard: ShardId,
    /// Its owner; `None` if it has none, or one that has ended.
    pub owner: Option<MemberId>,
    /// The owner's epoch.
    pub epoch: Epoch,
    /// Who takes it next.
    pub heir: Option<MemberId>,
    /// Since when the owner owns it, by the wall clock of whoever wrote that; if the page remembers.
    pub since_ms: Option<u64>,
    /// By which step the owner came, if the page remembers; for [`News`](super::News) alone.
    #[serde(skip)]
    pub step: Option<StepTaken>,
    /// Why the owner owns it, if the page remembers; why nobody does, if so.
    pub why: Option<Arc<str>>,
}
