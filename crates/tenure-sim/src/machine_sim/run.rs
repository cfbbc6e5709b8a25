//! The loop: takes what happens next, lets it happen, and stops at the first broken promise or when all is judged.

use tenure_core::message::Action;

use super::proc::Proc;
use super::queue::{Dead, Happening};
use crate::bug::Mutant;
use crate::clock::Nanos;
use crate::faults::Damage;
use crate::log::Log;
use crate::promises::{Promise, Scene, Verdict, Violation};
use crate::queue::Queue;
use crate::surroundings::Surroundings;

/// More happenings than this among eight processes, or as many more among more of them, mean that machines keep each other busy for ever.
const MOST_HAPPENINGS: u64 = 400_000;

/// A whole cluster in virtual time.
#[derive(Debug)]
pub(crate) struct MachineSim<'a> {
    pub(crate) around: Surroundings<'a>,
    pub(crate) queue: Queue<Happening>,
    pub(crate) procs: Vec<Proc>,
    pub(crate) dead: Vec<Dead>,
    /// Turns who should own what, where somebody else decides that.
    pub(crate) wants_turn: usize,
    pub(crate) runs: u64,
    pub(crate) done: bool,
    pub(crate) spare: Vec<Action>,
}

impl<'a> MachineSim<'a> {
    /// The cluster of `seed`, at its beginning.
    pub(crate) fn new(seed: u64, mutant: Mutant, log: &'a mut Log) -> Self {
        Self {
            around: Surroundings::draw(seed, mutant, log),
            queue: Queue::new(),
            procs: Vec::new(),
            dead: Vec::new(),
            wants_turn: 0,
            runs: 0,
            done: false,
            spare: Vec::new(),
        }
    }

    /// Lets everything happen, until a promise is broken, all is judged, or `until`.
    pub(crate) fn run(&mut self, until: Nanos) -> Option<Violation> {
        self.begin();
        while let Some((at, what)) = self.queue.next() {
            if at > until {
                break;
            }
            self.around.now = at;
            self.happen(what);
            if self.done || self.around.violation.is_some() {
                break;
            }
            if self.queue.count() > MOST_HAPPENINGS / 8 * self.procs.len().max(8) as u64 {
                self.judge(Err((Promise::Settles, "machines keep each other busy for ever".into())));
            }
        }
        self.around.verdict()
    }

    fn begin(&mut self) {
        self.around.log.note(
            0,
            || "world".into(),
            || format!("{:?}\n{:?}", self.around.shape, self.around.faults),
        );
        for member in 0..self.around.shape.founders {
            let at = self.around.chance.below(self.around.shape.ttl() / 10);
            self.queue.put(at, Happening::Begin { member });
        }
        self.queue.put(self.around.chance.span(self.around.faults.strike_every), Happening::Strike);
        self.queue.put(self.around.faults.lasts, Happening::Heal);
        if let Some(at) = self.around.will_forget() {
            self.queue.put(at, Happening::Recover);
        }
    }

    fn happen(&mut self, what: Happening) {
        match what {
            Happening::Arrival(flight) => self.arrive(*flight),
            Happening::Answer { .. }
            | Happening::CallOver { .. }
            | Happening::Timer { .. }
            | Happening::Told { .. }
            | Happening::WorkEnds { .. } => self.deliver(what),
            Happening::Thaw(no) => self.thaw(no),
            Happening::Begin { member } => self.start(member),
            Happening::Word { member, event } => self.pass_on(member, &event),
            Happening::Lift(number) => self.around.lift(number),
            Happening::Undrain => self.drain_as_wanted(),
            Happening::Strike => self.strike(),
            Happening::Recover => self.recover(),
            Happening::Heal => self.heal(),
            Happening::Healed => self.healed(),
            Happening::Judge => self.judge_service(),
            Happening::Settle => self.settle(),
        }
    }

    /// This instant, for a promise to look at.
    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene { now: self.around.now, procs: &self.procs, truth: &self.around.truth }
    }

    /// Notes a broken promise.
    pub(crate) fn judge(&mut self, verdict: Verdict) {
        self.around.judge(verdict);
    }

    /// Notes that a rule was broken on which no safety rests.
    pub(crate) fn reprove(&mut self, verdict: Verdict) {
        self.around.reprove(verdict);
    }
}
