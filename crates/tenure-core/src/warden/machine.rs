//! Decides what the warden does. It knows no process and no clock.
//!
//! ```text
//!        Start           begin                     exited
//!   (nothing) ─► waiting ─────► running ──────────────────────► clearing ──gone──► (nothing), Ended is told
//!                                │   │ Terminate                   ▲
//!                                │   ▼                             │
//!                                │ terminating ────────────────────┤
//!                                ▼   ▼ Kill, the lease's end, the member's end
//!                               killed ────────────────────────────┘
//! ```
//! - Time first, then the event: nothing is started after the deadline, however late its order is read.
//! - A job belongs to the life that it was ordered in. If another life has begun, the time between was never seen: it ends.
//! - Starts wait until all else is done, one at a time, and while there is no guard ([`super::Vigil::guard`]).
//! - An end is told only when *nothing* of a job lives; until then the shard is not released.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::message::{Ending, JobId, Order, Report, Term, Work};
use crate::moment::Moment;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The member says something.
    Ordered(Order),
    /// The member says nothing any more, ever.
    Orphaned,
    /// A job could not be started.
    Unborn(JobId, String),
    /// The first process of a job ended; others of it may live.
    Exited(JobId, Ending),
    /// Nothing of a job lives.
    Gone(JobId),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Write into the history that a job begins.
    NoteAct(Work),
    /// Start a job, or say that it is [`Event::Unborn`].
    Start(JobId, Work),
    /// Ask all of a job to end.
    Terminate(JobId),
    /// End all of a job.
    Kill(JobId),
    /// End what is left of a job; say when it is [`Event::Gone`].
    Clear(JobId),
    /// Write into the history that a job has ended, and why.
    NoteEnd(Work, String),
    /// Tell the member.
    Tell(Report),
    /// All is over: end whatever else lives, then end.
    End,
}

/// Why everything ends when the lease does.
const LEASE_OVER: &str = "its lease ended";

/// What is done.
pub type Actions = Vec<Action>;

#[derive(Debug)]
struct Job {
    life: u64,
    work: Work,
    phase: JobPhase,
    /// Why we ended it, if we did.
    cause: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum JobPhase {
    Running,
    Terminating,
    Killed,
    Clearing(Ending),
}

/// One member's children, as far as decisions go.
#[derive(Debug)]
pub struct Machine {
    /// How long it takes to end everything: so much earlier than the lease's end it begins.
    allowance: Duration,
    term: Term,
    orphaned: bool,
    /// Ordered, and not begun.
    waiting: VecDeque<(JobId, u64, Work)>,
    jobs: BTreeMap<JobId, Job>,
}

impl Machine {
    /// A warden without children, whose member has no lease yet.
    pub fn new(allowance: Duration) -> Self {
        let (term, waiting, jobs) = (Term::default(), VecDeque::new(), BTreeMap::new());
        Self { allowance, term, orphaned: false, waiting, jobs }
    }

    /// What the register says: to be told before anything else that is concluded from the time.
    pub fn lease(&mut self, now: Moment, term: Term, out: &mut Actions) {
        let another = term.life != self.term.life;
        self.term = term;
        if another {
            self.end_lives_before(term.life, out);
        }
        self.advance(now, out);
    }

    /// Something happened. Time is taken first.
    pub fn handle(&mut self, now: Moment, event: Event, out: &mut Actions) {
        self.advance(now, out);
        match event {
            Event::Ordered(order) => self.obey(order, out),
            Event::Orphaned => self.orphaned(out),
            Event::Unborn(job, why) => self.over(job, Ending::Unborn(why), out),
            Event::Exited(job, ending) => self.exited(job, ending, out),
            Event::Gone(job) => self.gone(job, out),
        }
    }

    /// Time passed; calling early is harmless.
    pub fn advance(&mut self, now: Moment, out: &mut Actions) {
        if now >= self.end() {
            self.refuse(|_| true, out);
            self.kill_all(LEASE_OVER, out);
        }
    }

    /// All else is done: begins one job of those that wait, if there is a guard.
    pub fn begin(&mut self, now: Moment, guarded: bool, out: &mut Actions) {
        self.advance(now, out);
        if !guarded {
            return;
        }
        let Some((id, life, work)) = self.waiting.pop_front() else { return };
        out.extend([Action::NoteAct(work.clone()), Action::Tell(Report::Begun(id))]);
        out.push(Action::Start(id, work.clone()));
        self.jobs.insert(id, Job { life, work, phase: JobPhase::Running, cause: None });
    }

    /// Whether jobs wait to begin.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The life whose jobs run.
    pub fn life(&self) -> u64 {
        self.term.life
    }

    /// When to call [`Machine::advance`] next.
    pub fn deadline(&self) -> Option<Moment> {
        let concerned = self.is_waiting() || self.jobs.values().any(Job::is_alive);
        concerned.then(|| self.end())
    }

    fn end(&self) -> Moment {
        self.term.until - self.allowance
    }

    fn obey(&mut self, order: Order, out: &mut Actions) {
        match order {
            Order::Hello | Order::Look => {}
            Order::Start(job, life, work) => self.start(job, life, work, out),
            Order::Terminate(job) => self.terminate(job, out),
            Order::Kill(job) => self.kill(job, "it was lost", out),
        }
    }

    fn start(&mut self, job: JobId, life: u64, work: Work, out: &mut Actions) {
        if self.orphaned || life != self.term.life || self.term.until == Moment::ZERO {
            out.push(Action::Tell(Report::Ended(job, Ending::Refused)));
            return;
        }
        self.waiting.push_back((job, life, work));
    }

    /// Those that wait and are `unwanted` never begin.
    fn refuse(&mut self, unwanted: impl Fn(&(JobId, u64, Work)) -> bool, out: &mut Actions) {
        let (refused, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(unwanted);
        self.waiting = waiting;
        let refused: VecDeque<_> = refused;
        out.extend(refused.into_iter().map(|(job, ..)| Action::Tell(Report::Ended(job, Ending::Refused))));
    }

    fn end_lives_before(&mut self, life: u64, out: &mut Actions) {
        self.refuse(|(_, of, _)| *of != life, out);
        let old: Vec<JobId> =
            self.jobs.iter().filter(|(_, job)| job.life != life).map(|(id, _)| *id).collect();
        old.into_iter().for_each(|job| self.kill(job, LEASE_OVER, out));
    }

    fn terminate(&mut self, id: JobId, out: &mut Actions) {
        self.refuse(|(job, ..)| *job == id, out);
        let Some(job) = self.jobs.get_mut(&id) else { return };
        if job.phase == JobPhase::Running {
            (job.phase, job.cause) = (JobPhase::Terminating, Some("it was to move"));
            out.push(Action::Terminate(id));
        }
    }

    fn kill(&mut self, id: JobId, cause: &'static str, out: &mut Actions) {
        self.refuse(|(job, ..)| *job == id, out);
        let Some(job) = self.jobs.get_mut(&id) else { return };
        if job.is_alive() {
            (job.phase, job.cause) = (JobPhase::Killed, Some(cause));
            out.push(Action::Kill(id));
        }
    }

    fn kill_all(&mut self, cause: &'static str, out: &mut Actions) {
        let all: Vec<JobId> = self.jobs.keys().copied().collect();
        all.into_iter().for_each(|job| self.kill(job, cause, out));
    }

    fn orphaned(&mut self, out: &mut Actions) {
        self.orphaned = true;
        self.refuse(|_| true, out);
        self.kill_all("its member was gone", out);
        self.end_if_done(out);
    }

    fn exited(&mut self, id: JobId, ending: Ending, out: &mut Actions) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        job.phase = JobPhase::Clearing(ending);
        out.push(Action::Clear(id));
    }

    fn gone(&mut self, id: JobId, out: &mut Actions) {
        let Some(Job { phase: JobPhase::Clearing(ending), .. }) = self.jobs.get(&id) else { return };
        let ending = ending.clone();
        self.over(id, ending, out);
    }

    fn over(&mut self, id: JobId, ending: Ending, out: &mut Actions) {
        let Some(job) = self.jobs.remove(&id) else { return };
        let reason = job.cause.map_or_else(|| ending.to_string(), |cause| format!("{ending}: {cause}"));
        // The member must not take it for a failure of the work.
        let ending = if job.cause == Some(LEASE_OVER) { Ending::Lapsed } else { ending };
        out.extend([Action::NoteEnd(job.work, reason), Action::Tell(Report::Ended(id, ending))]);
        self.end_if_done(out);
    }

    fn end_if_done(&self, out: &mut Actions) {
        if self.orphaned && self.jobs.is_empty() {
            out.push(Action::End);
        }
    }
}

impl Job {
    /// Whether it must still be ended when the time comes.
    fn is_alive(&self) -> bool {
        matches!(self.phase, JobPhase::Running | JobPhase::Terminating)
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
