//! What must hold at every moment.

use std::time::Duration;

use tenure_core::moment::Moment;

use super::flaw::HelperFlaw;
use super::kernel::{Kernel, Kid, Parent, State, Who};
use super::member::Member;
use crate::promises::{Promise, Violation};

/// What `kid` does breaks a promise.
pub(super) fn acts(promise: Promise, kernel: &Kernel, kid: &Kid) -> Violation {
    let (tasks, timer) = (kernel.tasks, kernel.timer);
    Violation { promise, at: kernel.now.as_nanos(), text: format!("{kid:?}; {tasks:?}; timer {timer:?}") }
}

fn not_minded(now: Moment, text: &str) -> Violation {
    Violation { promise: Promise::HelpersAreMinded, at: now.as_nanos(), text: text.into() }
}

/// At this moment.
pub(super) fn moment(kernel: &Kernel, member: &Member, ttl: Duration) -> Result<(), Violation> {
    let now = kernel.now;
    let proven = is_proven(kernel);
    for kid in kernel.kids.iter().filter(|kid| kid.state == State::Acting) {
        if member.ends.get(&kid.life).is_none_or(|end| now > *end) {
            return Err(acts(Promise::ChildrenEndWithLease, kernel, kid));
        }
        if proven {
            return Err(acts(Promise::ChildrenEndBeforeProof, kernel, kid));
        }
    }
    unnoticed(kernel, ttl)
}

/// Whether others may own at once.
fn is_proven(kernel: &Kernel) -> bool {
    let free = !kernel.task(Who::Member).alive && !kernel.task(Who::Reaper).alive;
    kernel.left || (free && (kernel.word || kernel.has(HelperFlaw::LockAlone)))
}

fn unnoticed(kernel: &Kernel, ttl: Duration) -> Result<(), Violation> {
    let (now, member) = (kernel.now, kernel.task(Who::Member));
    let minds = |who: Who| {
        let helper = kernel.task(who);
        helper.alive && helper.frozen && now.since(helper.since.max(member.since)) > ttl
    };
    let reaper_lives = kernel.task(Who::Reaper).alive;
    if member.is_awake() && reaper_lives && (minds(Who::Reaper) || minds(Who::Warden)) {
        return Err(not_minded(now, "a helper is frozen and nobody minds"));
    }
    Ok(())
}

/// When all has been calm for a long time.
pub(super) fn end(kernel: &Kernel, member: &Member) -> Result<(), Violation> {
    let now = kernel.now;
    if !kernel.task(Who::Member).alive {
        let left = kernel.living(|kid| kid.parent != Parent::Init || kid.state == State::Acting);
        let helpers = kernel.task(Who::Reaper).alive || kernel.task(Who::Warden).alive;
        let something = helpers || !left.is_empty();
        return if something { Err(not_minded(now, "something is left")) } else { Ok(()) };
    }
    let runs = |job| kernel.kids.iter().any(|kid| kid.job == job && kid.leader && kid.state == State::Acting);
    let idle = member.runs.values().any(|run| run.is_none_or(|(job, _)| !runs(job)));
    if idle { Err(not_minded(now, "a shard has no command")) } else { Ok(()) }
}
