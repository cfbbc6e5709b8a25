//! What a machine asks its driver to do.

use super::{CallId, Notice, Request};
use crate::guard::Seat;
use crate::ids::{Epoch, Life, Lineage, ShardId};
use crate::moment::Moment;

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
