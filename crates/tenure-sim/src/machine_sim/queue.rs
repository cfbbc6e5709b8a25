//! What can happen to machines.

use tenure_core::ids::Process;
use tenure_core::message::{CallId, Event, Reply};

use crate::network::Flight;
use crate::surroundings::ProcessNo;

/// One thing that happens.
#[derive(Debug)]
pub(crate) enum Happening {
    /// A request reaches the store.
    Arrival(Box<Flight>),
    /// The store's answer reaches a process.
    Answer { to: ProcessNo, call: CallId, reply: Box<Reply> },
    /// A call's time is over.
    CallOver { to: ProcessNo, call: CallId, write: bool },
    /// A process's timer goes off; an old number is a timer that was set anew.
    Timer { to: ProcessNo, number: u32 },
    /// Anything else that a process is told.
    Told { to: ProcessNo, event: Box<Event> },
    /// A word for whoever runs as a member by then.
    Word { member: usize, event: Box<Event> },
    /// Work ends by itself.
    WorkEnds { on: ProcessNo, run: u64, failed: bool },
    /// A paused process goes on.
    Thaw(ProcessNo),
    /// A member that is not running starts.
    Begin { member: usize },
    /// A fault that lasted for a while is over.
    Lift(u32),
    /// The operator sees to it that nobody is drained who should not be.
    Undrain,
    /// The next fault strikes.
    Strike,
    /// The store forgets, or an operator goes on recovering the cluster.
    Recover,
    /// All faults stop.
    Heal,
    /// Everything that was broken is whole again.
    Healed,
    /// The time within which every shard must have an owner is over.
    Judge,
    /// A look at whether the ledger has come to rest.
    Settle,
}

/// A process that died, as a witness names it.
pub(crate) type Dead = Process;
