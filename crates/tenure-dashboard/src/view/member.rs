//! One member, as the page shows it.

use serde::{Deserialize, Serialize};
use tenure::cluster::MemberStatus;

use super::Mark;

/// The event `members`: those that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Members {
    /// The state that this leads to.
    pub seq: u64,
    /// When it was seen.
    pub at_ms: u64,
    /// Those that changed, each whole.
    pub members: Vec<Member>,
}

/// What becomes of a member, as it was last seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MemberState {
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
    /// Its record can't be understood.
    Unreadable,
    /// Its record was removed.
    Forgotten,
}

impl From<MemberStatus> for MemberState {
    fn from(status: MemberStatus) -> Self {
        match status {
            MemberStatus::Active => Self::Active,
            MemberStatus::Drained => Self::Drained,
            MemberStatus::Leaving => Self::Leaving,
            MemberStatus::Silent => Self::Silent,
            MemberStatus::Gone => Self::Gone,
            MemberStatus::Deposed => Self::Deposed,
            MemberStatus::Unreadable => Self::Unreadable,
        }
    }
}

/// One member.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Member {
    /// Its place in the picture, by which shards name it.
    pub index: u32,
    /// Its name: letters, digits and `._-`.
    pub id: String,
    /// How it is told from others; its own until the next `picture`.
    pub mark: Mark,
    /// Its life, such as `f8409929.1`; null if its record can't be read.
    pub incarnation: Option<String>,
    /// What becomes of it.
    pub state: MemberState,
    /// Who closed its record, if it was another.
    pub by: Option<String>,
    /// Whether an operator asked that it hand its shards on and get no others.
    pub drained: bool,
    /// Its share, relative to the others'.
    pub weight: u32,
    /// Its failure domain: any text.
    pub zone: Option<String>,
    /// Where others reach it, by its own word: any text.
    pub address: Option<String>,
    /// Its software: any text.
    pub version: String,
    /// How many shards it owns.
    pub shards: u32,
    /// How many shards it is to take next.
    pub heir_of: u32,
    /// The shards that it owns, divided by its share by weight of all shards; 1 is fair. Null if it gets none.
    pub load: Option<f64>,
    /// Those of its shards whose work does not end although it must, by its own word.
    pub stuck: Vec<u32>,
    /// Those of its shards whose work fails and is tried again, by its own word; the first of them, if there are very many.
    pub failing: Vec<Failing>,
    /// Its lease.
    pub lease: Lease,
    /// What somebody wrote down about it.
    pub note: Option<Note>,
    /// In a playground: what its process is up to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
}

/// A shard whose work fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Failing {
    /// Which.
    pub shard: u32,
    /// Failures in a row.
    pub failures: u32,
    /// What the last one said: any text.
    pub error: String,
    /// When it is tried next, by the member's clock; null if it was started again.
    pub retry_at_ms: Option<u64>,
}

/// A lease, as others count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lease {
    /// Its length; 0 if the record can't be read.
    pub ttl_ms: u64,
    /// When it was last renewed, by the dashboard's clock: `renewed_ms + ttl_ms` is its end.
    pub renewed_ms: u64,
    /// Grows with every renewal of one life.
    pub seq: u64,
    /// Whether the record is a living lease: neither closed nor unreadable nor removed.
    pub open: bool,
}

/// What somebody wrote down about a member, for others to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Note {
    /// Any text, at most 500 characters.
    pub text: String,
    /// Who wrote it: the name of a token.
    pub by: String,
    /// When.
    pub at_ms: u64,
}

/// What a process of a playground is up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Process {
    /// It runs.
    Running,
    /// It was stopped, and does not know.
    Frozen,
    /// It runs, and reaches the store no more.
    Cut,
    /// It was killed.
    Killed,
    /// It left, as it was asked to.
    Left,
    /// It ended by itself, with an error.
    Failed,
}
