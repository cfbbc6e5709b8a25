//! What must hold at every moment.

use std::fmt;
use std::time::Duration;

use tenure_core::moment::Moment;

use super::flaw::Flaw;
use super::kernel::{Kernel, Kid, Parent, State, Who};
use super::member::Member;

/// What was promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Nothing acts after its lease.
    Lease,
    /// Nothing acts after the proof of its end.
    Proof,
    /// Nothing of a run that is told as ended acts.
    Told,
    /// Nobody is frozen unnoticed, and in the end everything runs or nothing is left.
    Alive,
}

impl Promise {
    /// The short name, as in docs/mutants.md.
    pub fn code(self) -> &'static str {
        match self {
            Self::Lease => "S1",
            Self::Proof => "S2",
            Self::Told => "S3",
            Self::Alive => "S4",
        }
    }
}

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which.
    pub promise: Promise,
    text: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise.code(), self.text)
    }
}

impl Breach {
    pub(super) fn of(promise: Promise, kernel: &Kernel, kid: &Kid) -> Self {
        let (now, tasks, timer) = (kernel.now.as_nanos(), kernel.tasks, kernel.timer);
        Self { promise, text: format!("at {now} ns: {kid:?}; {tasks:?}; timer {timer:?}") }
    }

    fn said(promise: Promise, now: Moment, text: &str) -> Self {
        Self { promise, text: format!("at {} ns: {text}", now.as_nanos()) }
    }
}

/// At this moment.
pub(super) fn moment(kernel: &Kernel, member: &Member, ttl: Duration) -> Result<(), Breach> {
    let now = kernel.now;
    let proven = is_proven(kernel);
    for kid in kernel.kids.iter().filter(|kid| kid.state == State::Acting) {
        if member.ends.get(&kid.life).is_none_or(|end| now > *end) {
            return Err(Breach::of(Promise::Lease, kernel, kid));
        }
        if proven {
            return Err(Breach::of(Promise::Proof, kernel, kid));
        }
    }
    unnoticed(kernel, ttl)
}

/// Whether others may own at once.
fn is_proven(kernel: &Kernel) -> bool {
    let free = !kernel.task(Who::Member).alive && !kernel.task(Who::Sexton).alive;
    kernel.left || (free && (kernel.word || kernel.has(Flaw::LockAlone)))
}

fn unnoticed(kernel: &Kernel, ttl: Duration) -> Result<(), Breach> {
    let (now, member) = (kernel.now, kernel.task(Who::Member));
    let minds = |who: Who| {
        let helper = kernel.task(who);
        helper.alive && helper.frozen && now.since(helper.since.max(member.since)) > ttl
    };
    let sexton_lives = kernel.task(Who::Sexton).alive;
    if member.is_awake() && sexton_lives && (minds(Who::Sexton) || minds(Who::Warden)) {
        return Err(Breach::said(Promise::Alive, now, "a helper is frozen and nobody minds"));
    }
    Ok(())
}

/// When all has been calm for a long time.
pub(super) fn end(kernel: &Kernel, member: &Member) -> Result<(), Breach> {
    let now = kernel.now;
    if !kernel.task(Who::Member).alive {
        let left = kernel.living(|kid| kid.parent != Parent::Init || kid.state == State::Acting);
        let helpers = kernel.task(Who::Sexton).alive || kernel.task(Who::Warden).alive;
        let something = helpers || !left.is_empty();
        return if something { Err(Breach::said(Promise::Alive, now, "something is left")) } else { Ok(()) };
    }
    let runs = |job| kernel.kids.iter().any(|kid| kid.job == job && kid.leader && kid.state == State::Acting);
    let idle = member.runs.values().any(|run| run.is_none_or(|(job, _)| !runs(job)));
    if idle { Err(Breach::said(Promise::Alive, now, "a shard has no command")) } else { Ok(()) }
}
