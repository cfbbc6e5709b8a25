//! One shard's work in one process: what a user's handler would be, as good or bad as the seed draws it.

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, ShardId};

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkStage {
    /// It was not started, or has ended.
    Idle,
    /// It runs.
    Running,
    /// It was asked to finish.
    Draining,
    /// It was told to end.
    Interrupted,
}

/// One shard's work.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) seat: Seat,
    pub(crate) phase: WorkStage,
    /// Names this run of the work; an end that names another is an old one.
    pub(crate) run: u64,
    /// It ends for nothing but healing.
    pub(crate) endless: bool,
    /// It was asked to finish, and then to go on.
    pub(crate) recalled: bool,
    /// Its last run ended by itself, with nothing left to do.
    pub(crate) content: bool,
    /// Whether the seat was seen to be open.
    pub(crate) opened: bool,
}

impl Work {
    /// Work for `seat` that was not started.
    pub(crate) fn new(seat: Seat) -> Self {
        Self {
            seat,
            phase: WorkStage::Idle,
            run: 0,
            endless: false,
            recalled: false,
            content: false,
            opened: false,
        }
    }

    /// Whether this is the work for `shard` at `epoch`.
    pub(crate) fn is(&self, shard: ShardId, epoch: Epoch) -> bool {
        self.seat.shard() == shard && self.seat.epoch() == epoch
    }

    /// Whether the work runs, in whatever phase.
    pub(crate) fn is_running(&self) -> bool {
        self.phase != WorkStage::Idle
    }

    /// Whether it was asked to finish, and has not.
    pub(crate) fn is_draining(&self) -> bool {
        self.phase == WorkStage::Draining
    }

    /// Whether nothing can come of it any more.
    pub(crate) fn is_over(&self) -> bool {
        self.seat.closed() && !self.is_running()
    }
}
