//! What wakes a driver.

use tenure_core::ids::{Process, ShardId};
use tenure_core::member::Snapshot;
use tenure_core::message::{CallId, Outcome, Reply};
use tokio::sync::{mpsc, oneshot};

use super::{Consumer, WorkerId};
use crate::error::Error;

/// Where everything that happens is sent.
pub(crate) type Inbox = mpsc::UnboundedSender<Input>;

/// Something that happened.
pub(crate) enum Input {
    /// The answer to a store call, and whether it may have changed what is known of the ledger.
    Reply { call: CallId, reply: Reply, ledger: bool },
    /// A worker has ended.
    Ended { worker: WorkerId, outcome: Outcome },
    /// A process was proven dead.
    Died(Process),
    /// The user wants something.
    Command(Command),
}

/// What a user may want of a running member.
pub(crate) enum Command {
    /// Do this with every shard.
    Attach(Consumer, oneshot::Sender<Result<(), Error>>),
    /// Tell all that is known.
    Snapshot(oneshot::Sender<Snapshot>),
    /// Own these, where the placement is external.
    Want(Vec<ShardId>),
    /// Hand everything on, then end.
    Leave,
    /// End without waiting for heirs.
    Hurry,
}
