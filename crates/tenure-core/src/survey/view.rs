//! The picture: plain data that tests assert, `status` prints and the dashboard draws.

use std::fmt;
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

/// What becomes of a member, as it was last seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberStatus {
    /// It renews its lease, and may own shards.
    Active,
    /// It renews its lease, and an operator asks that it hand its shards on.
    Drained,
    /// It hands its shards on, and then ends.
    Leaving,
    /// Its lease may be over: it has not renewed for so long.
    Silent,
    /// It ended: by its own word, or because its death was proven.
    Gone,
    /// It was silent, and another closed its record.
    Deposed,
    /// Its record can't be understood by this build.
    Unreadable,
}

impl MemberStatus {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Active,
        Self::Drained,
        Self::Leaving,
        Self::Silent,
        Self::Gone,
        Self::Deposed,
        Self::Unreadable,
    ];

    /// Its name, where people and programs read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Drained => "drained",
            Self::Leaving => "leaving",
            Self::Silent => "silent",
            Self::Gone => "gone",
            Self::Deposed => "deposed",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for MemberStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One member, as it was last seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberView {
    /// Its name.
    pub id: MemberId,
    /// Its life.
    pub incarnation: Option<Incarnation>,
    /// What becomes of it.
    pub state: MemberStatus,
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
