//! Decides what the warden does. It knows no process and no clock.
//!
//! ```text
//!             Start                     exited
//!   (nothing) ─────► running ──────────────────────► clearing ──gone──► (nothing), Ended is told
//!                     │   │ Terminate                   ▲
//!                     │   ▼                             │
//!                     │ terminating ────────────────────┤
//!                     ▼   ▼ Kill, the lease's end, the member's end
//!                    killed ────────────────────────────┘
//! ```
//! Two rules. Time first, then the event: nothing is started after the deadline, however late its order is read. And an end
//! is told only when *nothing* of a job lives; until then the shard is not released.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure_core::moment::Moment;

use super::message::{Ending, JobId, Order, Report, Work};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
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
pub(super) enum Action {
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

/// What is done.
pub(super) type Actions = Vec<Action>;

#[derive(Debug)]
struct Job {
    work: Work,
    phase: Phase,
    /// Why we ended it, if we did.
    cause: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    Running,
    Terminating,
    Killed,
    Clearing(Ending),
}

/// One member's children, as far as decisions go.
#[derive(Debug)]
pub(super) struct Machine {
    /// How long it takes to end everything: so much earlier than the lease's end it begins.
    allowance: Duration,
    /// Up to when the member may act.
    until: Moment,
    orphaned: bool,
    jobs: BTreeMap<JobId, Job>,
}

impl Machine {
    /// A warden without children, whose member has no lease yet.
    pub(super) fn new(allowance: Duration) -> Self {
        Self { allowance, until: Moment::ZERO, orphaned: false, jobs: BTreeMap::new() }
    }

    /// Something happened. Time is taken first.
    pub(super) fn handle(&mut self, now: Moment, event: Event, out: &mut Actions) {
        self.advance(now, out);
        match event {
            Event::Ordered(order) => self.obey(now, order, out),
            Event::Orphaned => self.orphaned(out),
            Event::Unborn(job, why) => self.over(job, Ending::Unborn(why), out),
            Event::Exited(job, ending) => self.exited(job, ending, out),
            Event::Gone(job) => self.gone(job, out),
        }
    }

    /// Time passed; calling early is harmless.
    pub(super) fn advance(&mut self, now: Moment, out: &mut Actions) {
        if now >= self.end() {
            self.kill_all("its lease ended", out);
        }
    }

    /// When to call [`Machine::advance`] next.
    pub(super) fn deadline(&self) -> Option<Moment> {
        self.jobs.values().any(Job::is_alive).then(|| self.end())
    }

    fn end(&self) -> Moment {
        self.until - self.allowance
    }

    fn obey(&mut self, now: Moment, order: Order, out: &mut Actions) {
        match order {
            Order::Hello => {}
            Order::Start(job, work) => self.start(now, job, work, out),
            Order::Terminate(job) => self.terminate(job, out),
            Order::Kill(job) => self.kill(job, "it was lost", out),
            Order::Lease(until_ns) => {
                self.until = Moment::from_nanos(until_ns);
                self.advance(now, out);
            }
        }
    }

    fn start(&mut self, now: Moment, job: JobId, work: Work, out: &mut Actions) {
        if self.orphaned || now >= self.end() {
            out.push(Action::Tell(Report::Ended(job, Ending::Refused)));
            return;
        }
        out.extend([Action::NoteAct(work.clone()), Action::Tell(Report::Begun(job))]);
        out.push(Action::Start(job, work.clone()));
        self.jobs.insert(job, Job { work, phase: Phase::Running, cause: None });
    }

    fn terminate(&mut self, id: JobId, out: &mut Actions) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        if job.phase == Phase::Running {
            (job.phase, job.cause) = (Phase::Terminating, Some("it was to move"));
            out.push(Action::Terminate(id));
        }
    }

    fn kill(&mut self, id: JobId, cause: &'static str, out: &mut Actions) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        if job.is_alive() {
            (job.phase, job.cause) = (Phase::Killed, Some(cause));
            out.push(Action::Kill(id));
        }
    }

    fn kill_all(&mut self, cause: &'static str, out: &mut Actions) {
        let all: Vec<JobId> = self.jobs.keys().copied().collect();
        all.into_iter().for_each(|job| self.kill(job, cause, out));
    }

    fn orphaned(&mut self, out: &mut Actions) {
        self.orphaned = true;
        self.kill_all("its member was gone", out);
        self.end_if_done(out);
    }

    fn exited(&mut self, id: JobId, ending: Ending, out: &mut Actions) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        job.phase = Phase::Clearing(ending);
        out.push(Action::Clear(id));
    }

    fn gone(&mut self, id: JobId, out: &mut Actions) {
        let Some(Job { phase: Phase::Clearing(ending), .. }) = self.jobs.get(&id) else { return };
        let ending = ending.clone();
        self.over(id, ending, out);
    }

    fn over(&mut self, id: JobId, ending: Ending, out: &mut Actions) {
        let Some(job) = self.jobs.remove(&id) else { return };
        let reason = job.cause.map_or_else(|| ending.to_string(), |cause| format!("{ending}: {cause}"));
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
        matches!(self.phase, Phase::Running | Phase::Terminating)
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
