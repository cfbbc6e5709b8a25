//! A picture of everything that a member knows: what tests assert, `status` prints and the dashboard draws.

use serde::Serialize;

use crate::ids::{Epoch, Incarnation, MemberId, ShardId};

/// The whole picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Snapshot {
    /// How many shards the cluster has; zero until the cluster is found.
    pub shards: u32,
    /// This member.
    pub me: Me,
    /// All members that have a record, this one included.
    pub members: Vec<MemberView>,
    /// The ledger, as last read.
    pub holdings: Vec<HoldingView>,
    /// Shards of which it is known that nobody owns them.
    pub unowned: Vec<ShardId>,
    /// The shards that have work here, and how it is.
    pub work: Vec<WorkView>,
    /// What is wrong and needs a person, in words.
    pub problems: Vec<String>,
}

/// This member.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Me {
    /// Its name.
    pub id: MemberId,
    /// Its present life; `None` while it has no lease.
    pub incarnation: Option<Incarnation>,
    /// `starting`, `joining`, `waiting`, `active`, `leaving`, `lapsed`, `ended`.
    pub state: &'static str,
    /// How long it may still act, in milliseconds.
    pub valid_for_ms: u64,
    /// Renewals that failed in a row.
    pub renewal_failures: u32,
}

/// One member, as this one sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberView {
    /// Its name.
    pub id: MemberId,
    /// Its life.
    pub incarnation: Option<Incarnation>,
    /// `active`, `drained`, `leaving`, `gone`, `deposed`, or `unreadable`.
    pub state: &'static str,
    /// How long ago its last renewal was seen, in milliseconds.
    pub renewed_ago_ms: u64,
    /// Its share.
    pub weight: u32,
    /// Its failure domain.
    pub zone: Option<String>,
    /// Its software.
    pub version: String,
    /// The shards that it owns.
    pub holds: Vec<ShardId>,
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
}

/// One shard's work here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkView {
    /// The shard.
    pub shard: ShardId,
    /// At which epoch.
    pub epoch: Epoch,
    /// `warming`, `acting`, `draining`, `ending`, `restarting`, `finished`, `stuck`.
    pub state: &'static str,
    /// Failures in a row.
    pub failures: u32,
    /// What the last failure said.
    pub error: Option<String>,
}
