//! What people are told: logs, metrics and the stream of ownership events are made of it. Nothing depends on it.

use crate::ids::{Epoch, Life, ShardId};
use crate::moment::Moment;
use crate::record::Incompatible;

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
