//! What can happen in a world.

use bytes::Bytes;
use tenure_core::flawed::ANY_VERSION;
use tenure_core::ids::Process;
use tenure_core::message::{CallId, Event, Reply, Request, When};
use tenure_core::record::{Key, Version};

use crate::clock::Nanos;

/// The number of a process in this world; every process that ever ran has its own.
pub(crate) type ProcessNo = usize;

/// A request on its way to the store.
#[derive(Debug)]
pub(crate) struct Flight {
    pub(crate) from: ProcessNo,
    pub(crate) call: CallId,
    pub(crate) request: Request,
    pub(crate) fate: Fate,
    pub(crate) sent_at: Nanos,
    /// When its answer is back.
    pub(crate) answered: Nanos,
}

/// What will become of a request that reaches the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is carried out and answered.
    Answered,
    /// It is carried out; the answer is lost.
    Unanswered,
    /// It is carried out; the answer is "conflict", whatever happened.
    ConflictSaid,
    /// It is carried out; the answer is "unknown".
    UnknownSaid,
    /// It is refused without being carried out.
    Refused,
    /// It is refused for good.
    Denied,
}

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
    /// All faults stop.
    Heal,
    /// Everything that was broken is whole again.
    Healed,
    /// The time within which every shard must have an owner is over.
    Judge,
    /// A look at whether the ledger has come to rest.
    Settle,
}

/// A write as the store sees it.
#[derive(Debug)]
pub(crate) struct Write<'a> {
    pub(crate) key: &'a Key,
    pub(crate) value: Option<Bytes>,
    pub(crate) when: Expect<'a>,
}

/// What must hold for a write to land.
#[derive(Debug)]
pub(crate) enum Expect<'a> {
    Absent,
    Is(&'a Version),
    Anything,
}

impl<'a> From<&'a When> for Expect<'a> {
    fn from(when: &'a When) -> Self {
        match when {
            When::Absent => Self::Absent,
            When::Is(version) if version.as_str() == ANY_VERSION => Self::Anything,
            When::Is(version) => Self::Is(version),
        }
    }
}

/// A process that died, as a witness names it.
pub(crate) type Dead = Process;
