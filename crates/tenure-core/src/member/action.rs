//! What a machine asks its driver to do.

use bytes::Bytes;

use crate::guard::Seat;
use crate::ids::{Epoch, Life, Lineage, ShardId};
use crate::moment::Moment;
use crate::record::{Incompatible, Key, Version};

/// Names one store call; the reply carries it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u64);

/// What must hold for a write to land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// The key holds nothing.
    Absent,
    /// The key holds this very version.
    Is(Version),
}

/// One store call. Every call gets exactly one reply, if only "unknown" when its time is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A linearizable read; `unless` is a version that need not be sent again.
    Get {
        /// What to read.
        key: Key,
        /// The version that the caller has already.
        unless: Option<Version>,
    },
    /// Every member record; may be old.
    ListMembers,
    /// A conditional write.
    Put {
        /// What to write.
        key: Key,
        /// The new content.
        value: Bytes,
        /// What must hold.
        when: When,
    },
    /// A conditional removal.
    Delete {
        /// What to remove.
        key: Key,
        /// The version that must be there.
        version: Version,
    },
}

/// The old owner's word to its heir: this epoch has ended. It counts only for exactly what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The cluster's founding.
    pub lineage: Lineage,
    /// The shard.
    pub shard: ShardId,
    /// Who ended.
    pub owner: Life,
    /// The epoch that ended.
    pub owner_epoch: Epoch,
    /// Who takes over.
    pub heir: Life,
    /// The epoch that begins.
    pub heir_epoch: Epoch,
}

/// Why a member stopped acting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LapseReason {
    /// No renewal was known to have landed in time.
    Expired,
    /// The record was taken over, deposed or deleted.
    Ousted,
    /// The clock can't be trusted.
    Clock(String),
    /// The member leaves.
    Left,
}

/// Something that happened, for logs, metrics and the stream of ownership events. Nothing depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The cluster's shape is known.
    Found {
        /// How many shards it has.
        shards: u32,
    },
    /// A lease is held.
    Joined(Life),
    /// Another process holds the member's id; waiting until it is silent or proven dead.
    Waiting(Life),
    /// The lease is over; all guards are closed.
    Lapsed {
        /// Whose lease it was.
        life: Life,
        /// Why it ended.
        reason: LapseReason,
    },
    /// A renewal did not succeed.
    RenewalFailed {
        /// How many in a row.
        streak: u32,
        /// What the store answered.
        why: String,
    },
    /// A renewal landed.
    Renewed {
        /// How much of the former validity was left.
        left: std::time::Duration,
    },
    /// A silent member was closed.
    Deposed(Life),
    /// A member proven dead was closed.
    ProvenDead(Life),
    /// A ledger page was written.
    Planned {
        /// What was done, in words.
        reason: String,
        /// How many holdings changed.
        changed: usize,
    },
    /// A step was lost to another member, or its outcome is unknown; it is looked at again.
    Retry,
    /// Work failed and will be started again at the moment.
    Restarting {
        /// The shard.
        shard: ShardId,
        /// How many times in a row it failed.
        failures: u32,
        /// When it starts again.
        at: Moment,
        /// What it said.
        error: String,
    },
    /// Work could not be started here; the shard is offered to others.
    HandedOn(ShardId),
    /// A record that can't be understood; it is left alone.
    Unreadable(Incompatible),
    /// The store went back in time, or a page disappeared.
    Rollback(String),
    /// The ledger names us no more for a shard that we have not ended (W4): the store forgot, or somebody forged. Its work is
    /// ended at once.
    Overruled {
        /// The shard.
        shard: ShardId,
        /// Who is named instead.
        owner: Option<Life>,
        /// At which epoch.
        epoch: Epoch,
    },
    /// The cluster is recovered, or was, in words: it is found anew as soon as that is done.
    Recovered(String),
    /// Numbers are used up, in words: a step that nobody could read afterwards is not taken.
    Spent(String),
    /// The store refuses this member.
    Refused(String),
    /// Interrupted work does not end.
    Stuck(ShardId),
}

/// How a machine ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It left, as it was asked to.
    Left,
    /// The cluster is not what the settings say.
    Mismatch {
        /// The setting.
        setting: &'static str,
        /// What is wrong and what to do.
        problem: String,
    },
}

/// What a machine asks its driver to do, in this order.
#[derive(Clone, Debug)]
pub enum Action {
    /// Call the store, and bring back the reply.
    Call {
        /// Names the call.
        call: CallId,
        /// What to ask.
        request: Request,
    },
    /// Load what the shard needs, answer nothing yet.
    Warm(Seat),
    /// Run the shard's work. Its seat holds.
    Act(Seat),
    /// Let the shard's work finish; new work is refused.
    Drain {
        /// The seat, still held.
        seat: Seat,
        /// When it will be interrupted.
        until: Moment,
    },
    /// The move was called off: go on.
    Resume(Seat),
    /// End the shard's work now: its seat is closed. The driver says when it has ended.
    Interrupt(Seat),
    /// Drop what was warmed; the shard will not come.
    Cool(Seat),
    /// Tell the heir that its time has come.
    Grant(Grant),
    /// Interrupted work does not end: abort the process before anybody else can own the shard.
    Abort(ShardId),
    /// Something happened.
    Notice(Notice),
    /// The machine has nothing more to do.
    End(Ending),
}
