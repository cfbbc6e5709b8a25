//! What a driver tells its machine.

use super::{CallId, Grant, Reply, Versioned};
use crate::ids::{Epoch, MemberId, Process, ShardId};
use crate::record::Key;

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
