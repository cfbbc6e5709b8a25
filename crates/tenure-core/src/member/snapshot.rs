//! A picture of everything that a member knows: what tests assert, `status` prints and the dashboard draws.

use serde::Serialize;

use crate::ids::{Epoch, Incarnation, MemberId, ShardId};
use crate::shard::WorkState;
use crate::survey::{HoldingView, MemberView, Survey};

/// The whole picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
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
    /// How long ago the last whole look at the store began, in milliseconds; `None` before the first.
    pub seen_ago_ms: Option<u64>,
}

impl Snapshot {
    /// What it shows of the cluster, as anybody sees it.
    pub fn survey(self) -> Survey {
        let Self { shards, members, holdings, unowned, problems, .. } = self;
        Survey { shards, members, holdings, unowned, problems }
    }
}

/// How far this member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LifeState {
    /// It looks for its cluster.
    Starting,
    /// It asks for a lease.
    Joining,
    /// Another process has its name, or it was fenced: it waits.
    Waiting,
    /// It holds a lease.
    Active,
    /// It hands its shards on, and then ends.
    Leaving,
    /// Its lease is over; it joins again by itself.
    Lapsed,
    /// It has ended.
    Ended,
}

/// This member.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Me {
    /// Its name.
    pub id: MemberId,
    /// Its present life; `None` while it has no lease.
    pub incarnation: Option<Incarnation>,
    /// How far it is.
    pub state: LifeState,
    /// How long it may still act, in milliseconds.
    pub valid_for_ms: u64,
    /// Renewals that failed in a row.
    pub renewal_failures: u32,
}

/// One shard's work here.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WorkView {
    /// The shard.
    pub shard: ShardId,
    /// At which epoch.
    pub epoch: Epoch,
    /// How far the work is.
    pub state: WorkState,
    /// Failures in a row.
    pub failures: u32,
    /// What the last failure said.
    pub error: Option<String>,
}
