//! What a driver tells its machine.

use bytes::Bytes;

use super::action::{CallId, Grant};
use crate::ids::{Epoch, MemberId, Process, ShardId};
use crate::record::{Key, Version};

/// A content of a key, with its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned {
    /// The version.
    pub version: Version,
    /// The content.
    pub value: Bytes,
}

/// Why a call brought no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It did not happen; try again later.
    Unavailable(String),
    /// It may have happened, or may yet happen.
    Indeterminate(String),
    /// The store refuses it, and will go on refusing.
    Denied(String),
}

impl Fault {
    /// What went wrong, in the store's words.
    pub fn why(&self) -> &str {
        match self {
            Self::Unavailable(why) | Self::Indeterminate(why) | Self::Denied(why) => why,
        }
    }
}

/// The answer to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A read found nothing.
    Absent,
    /// A read found the version that the caller has.
    Unchanged,
    /// A read found this.
    Found(Versioned),
    /// All member records that the store listed.
    Members(Vec<(MemberId, Versioned)>),
    /// The write landed, as this version.
    Stored(Version),
    /// The removal happened.
    Deleted,
    /// The precondition did not hold, or so the store says.
    Conflict,
    /// No answer.
    Failed(Fault),
}

/// How work ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned.
    Done,
    /// It failed, panicked, or could not be started.
    Failed(String),
}

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Begin: find or found the cluster, then join it.
    Start,
    /// The reply to a call.
    Reply {
        /// Which call.
        call: CallId,
        /// What it brought.
        reply: Reply,
    },
    /// Something may have changed in the store.
    Hint(Option<Key>),
    /// A member's record changed, and this is what the store itself says that it says, or said: it may be old.
    Heard {
        /// Whose record it is.
        id: MemberId,
        /// What it says.
        record: Versioned,
    },
    /// Somebody, perhaps a stranger, says that a member's record changed to this. It may be a lie: a reason to look, never evidence.
    Rumour {
        /// Whose record it should be.
        id: MemberId,
        /// What it should say.
        record: Versioned,
    },
    /// An owner says that it ended an epoch for us.
    Grant(Grant),
    /// All work for a shard at an epoch has ended.
    Ended {
        /// The shard.
        shard: ShardId,
        /// The epoch.
        epoch: Epoch,
        /// How it ended.
        outcome: Outcome,
    },
    /// It is proven that a process and its children ended (never merely silent).
    Died(Process),
    /// The clock can't be trusted.
    ClockFault(String),
    /// The shards that this member should own, where the placement is external.
    Want(Vec<ShardId>),
    /// Leave: hand everything on, then end.
    Leave,
    /// Leave at once: do not wait for heirs.
    Hurry,
}
