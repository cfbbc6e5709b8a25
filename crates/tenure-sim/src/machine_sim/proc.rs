//! One process: a real machine, its clock, the calls it waits for and the work it runs.

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, Process, ShardId};
use tenure_core::member::Machine;
use tenure_core::message::CallId;
use tenure_core::moment::{Moment, Timing};

use super::conduct::Conduct;
use super::queue::Happening;
use super::work::Work;
use crate::clock::{Clock, Nanos};
use crate::faults::SECOND;
use crate::promises::LifeNo;

/// How a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It runs.
    Running,
    /// It stands still; what reaches it waits.
    Paused {
        /// Since when.
        since: Nanos,
    },
    /// It ended, by whatever cause.
    Dead,
}

/// One process.
#[derive(Debug)]
pub(crate) struct Proc {
    /// Which member it is a process of.
    pub(crate) member: usize,
    /// Member and number, such as `b/2`.
    pub(crate) name: String,
    pub(crate) process: Process,
    /// The durations that its settings say.
    pub(crate) timing: Timing,
    pub(crate) clock: Clock,
    /// When it began, in true time.
    pub(crate) born: Nanos,
    pub(crate) machine: Machine,
    pub(crate) condition: Condition,
    /// Calls without an answer yet, and whether they are writes.
    pub(crate) pending: Vec<(CallId, bool)>,
    /// What reached it while it stood still.
    pub(crate) inbox: Vec<Happening>,
    pub(crate) works: Vec<Work>,
    /// The life whose lease it holds or last held.
    pub(crate) life: Option<LifeNo>,
    /// Its lives that are over.
    pub(crate) lapsed: Vec<LifeNo>,
    /// The deadline that the timer is set for, and the timer's number.
    pub(crate) timer: (Option<Moment>, u32),
    /// The second of true time that it is in, and how often it called the store in it.
    pub(crate) pace: (u64, u32),
    /// What it was seen to do and to be told.
    pub(crate) conduct: Conduct,
    pub(crate) leaving: bool,
    /// Whether it knows the cluster: from then on it creates no page.
    pub(crate) found: bool,
}

impl Proc {
    /// Whether it runs or stands still: whether its seats count.
    pub(crate) fn lives(&self) -> bool {
        self.condition != Condition::Dead
    }

    /// Whether it runs.
    pub(crate) fn runs(&self) -> bool {
        self.condition == Condition::Running
    }

    /// Whether it may act, by its own clock.
    pub(crate) fn is_leased(&self, now: Nanos) -> bool {
        self.machine.lease().holds(self.clock.read(now))
    }

    /// The seats that it was given and that are not known to be closed.
    pub(crate) fn seats(&self) -> impl Iterator<Item = &Seat> {
        self.works.iter().map(|work| &work.seat)
    }

    /// Its work for a shard at an epoch.
    pub(crate) fn work(&self, shard: ShardId, epoch: Epoch) -> Option<&Work> {
        self.works.iter().find(|work| work.is(shard, epoch))
    }

    /// Whether it has neither an open guard nor work for a shard at an epoch.
    pub(crate) fn has_ended(&self, now: Nanos, shard: ShardId, epoch: Epoch) -> bool {
        let local = self.clock.read(now);
        self.work(shard, epoch).is_none_or(|work| !work.seat.holds(local) && !work.is_running())
    }

    /// Its work for a seat; new if there was none.
    pub(crate) fn work_of(&mut self, seat: Seat) -> &mut Work {
        let known = self.works.iter().position(|work| work.is(seat.shard(), seat.epoch()));
        let place = known.unwrap_or_else(|| {
            self.works.push(Work::new(seat.clone()));
            self.works.len() - 1
        });
        let work = &mut self.works[place];
        work.seat = seat;
        work
    }

    /// Counts a call of the store: how many there were in this second.
    pub(crate) fn count_call(&mut self, now: Nanos) -> u32 {
        let second = now / SECOND;
        let before = if self.pace.0 == second { self.pace.1 } else { 0 };
        self.pace = (second, before + 1);
        self.pace.1
    }

    /// Takes a call off the list; false if it was answered already.
    pub(crate) fn settle(&mut self, call: CallId) -> bool {
        match self.pending.iter().position(|(pending, _)| *pending == call) {
            Some(place) => {
                self.pending.swap_remove(place);
                true
            }
            None => false,
        }
    }

    /// Notes that the present life is over.
    pub(crate) fn note_lapse(&mut self) {
        if let Some(life) = self.life.filter(|life| !self.lapsed.contains(life)) {
            self.lapsed.push(life);
        }
    }
}
