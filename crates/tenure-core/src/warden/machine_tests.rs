//! Events in, exact actions out.

use super::*;
use crate::ids::{Epoch, ShardId};

const ALLOWANCE: Duration = Duration::from_millis(100);
const JOB: JobId = JobId(1);

fn at(millis: u64) -> Moment {
    Moment::ZERO + Duration::from_millis(millis)
}

fn work() -> Work {
    Work { shard: ShardId(3), epoch: Epoch(7), incarnation: "line.1".into(), traceparent: None }
}

fn start() -> Event {
    Event::Ordered(Order::Start(JOB, 1, work()))
}

fn read(machine: &mut Machine, millis: u64, life: u64, until: u64) -> Actions {
    let mut out = Actions::new();
    machine.lease(at(millis), Term { life, until: at(until) }, &mut out);
    out
}

fn begun(machine: &mut Machine, millis: u64) -> Actions {
    let mut out = Actions::new();
    machine.begin(at(millis), true, &mut out);
    out
}

fn told(machine: &mut Machine, millis: u64, event: Event) -> Actions {
    let mut out = Actions::new();
    machine.handle(at(millis), event, &mut out);
    out
}

fn passed(machine: &mut Machine, millis: u64) -> Actions {
    let mut out = Actions::new();
    machine.advance(at(millis), &mut out);
    out
}

/// A machine with one job that waits, under a lease up to 1000 ms.
fn waiting() -> Machine {
    let mut machine = Machine::new(ALLOWANCE);
    assert_eq!(read(&mut machine, 0, 1, 1000), []);
    assert_eq!(told(&mut machine, 0, start()), []);
    machine
}

/// A machine that runs one job under a lease up to 1000 ms.
fn running() -> Machine {
    let mut machine = waiting();
    let told = Action::Tell(Report::Begun(JOB));
    assert_eq!(begun(&mut machine, 0), [Action::NoteAct(work()), told, Action::Start(JOB, work())]);
    machine
}

fn ended(ending: Ending) -> Action {
    Action::Tell(Report::Ended(JOB, ending))
}

#[test]
fn an_end_is_told_only_when_nothing_of_the_job_lives() {
    let mut machine = running();
    assert_eq!(told(&mut machine, 5, Event::Exited(JOB, Ending::Exited(0))), [Action::Clear(JOB)]);
    let gone = told(&mut machine, 9, Event::Gone(JOB));
    assert_eq!(gone, [Action::NoteEnd(work(), "exited with status 0".into()), ended(Ending::Exited(0))]);
    assert_eq!(told(&mut machine, 9, Event::Gone(JOB)), [], "once");
}

#[test]
fn everything_is_killed_before_the_lease_ends() {
    let mut machine = running();
    assert_eq!(machine.deadline(), Some(at(900)));
    assert_eq!(passed(&mut machine, 899), []);
    assert_eq!(passed(&mut machine, 900), [Action::Kill(JOB)]);
    assert_eq!(passed(&mut machine, 901), [], "once");
    assert_eq!(machine.deadline(), None);
}

#[test]
fn a_renewal_moves_the_deadline() {
    let mut machine = running();
    assert_eq!(read(&mut machine, 500, 1, 1500), []);
    assert_eq!(passed(&mut machine, 1000), []);
    assert_eq!(machine.deadline(), Some(at(1400)));
}

#[test]
fn a_lapse_kills_at_once() {
    let mut machine = running();
    assert_eq!(read(&mut machine, 10, 1, 0), [Action::Kill(JOB)]);
}

#[test]
fn a_lapse_that_was_never_seen_kills_what_ran_before_it() {
    let mut machine = running();
    assert_eq!(read(&mut machine, 10, 2, 5000), [Action::Kill(JOB)]);
    assert_eq!(told(&mut machine, 10, start()), [ended(Ending::Refused)], "ordered in a life that is over");
}

#[test]
fn nothing_begins_without_a_guard() {
    let mut machine = waiting();
    let mut out = Actions::new();
    machine.begin(at(0), false, &mut out);
    assert_eq!((out, machine.is_waiting()), (Actions::new(), true));
}

#[test]
fn nothing_begins_after_the_deadline_however_late_the_order_is_read() {
    let mut machine = Machine::new(ALLOWANCE);
    assert_eq!(told(&mut machine, 0, start()), [ended(Ending::Refused)], "no lease yet");
    let mut machine = waiting();
    assert_eq!(machine.deadline(), Some(at(900)));
    assert_eq!(begun(&mut machine, 900), [ended(Ending::Refused)]);
    assert_eq!(begun(&mut machine, 900), [], "once");
}

#[test]
fn a_job_that_waits_is_called_off_without_ever_running() {
    for order in [Order::Terminate(JOB), Order::Kill(JOB)] {
        let mut machine = waiting();
        assert_eq!(told(&mut machine, 1, Event::Ordered(order)), [ended(Ending::Refused)]);
        assert_eq!(begun(&mut machine, 1), []);
    }
    assert_eq!(told(&mut waiting(), 1, Event::Orphaned), [ended(Ending::Refused), Action::End]);
}

#[test]
fn a_lost_member_takes_its_children_with_it() {
    let mut machine = running();
    assert_eq!(told(&mut machine, 10, Event::Orphaned), [Action::Kill(JOB)]);
    assert_eq!(told(&mut machine, 11, Event::Exited(JOB, Ending::Signalled(9))), [Action::Clear(JOB)]);
    let gone = told(&mut machine, 12, Event::Gone(JOB));
    let reason = "was ended by signal 9: its member was gone".into();
    assert_eq!(gone, [Action::NoteEnd(work(), reason), ended(Ending::Signalled(9)), Action::End]);
}

#[test]
fn a_lost_member_without_children_ends_the_warden() {
    assert_eq!(told(&mut Machine::new(ALLOWANCE), 0, Event::Orphaned), [Action::End]);
}

#[test]
fn a_child_is_asked_once_and_killed_if_it_stays() {
    let mut machine = running();
    assert_eq!(told(&mut machine, 1, Event::Ordered(Order::Terminate(JOB))), [Action::Terminate(JOB)]);
    assert_eq!(told(&mut machine, 2, Event::Ordered(Order::Terminate(JOB))), []);
    assert_eq!(told(&mut machine, 3, Event::Ordered(Order::Kill(JOB))), [Action::Kill(JOB)]);
    assert_eq!(told(&mut machine, 4, Event::Ordered(Order::Terminate(JOB))), []);
}

#[test]
fn a_child_that_is_asked_to_end_is_killed_by_the_deadline_all_the_same() {
    let mut machine = running();
    told(&mut machine, 1, Event::Ordered(Order::Terminate(JOB)));
    assert_eq!(machine.deadline(), Some(at(900)));
    assert_eq!(passed(&mut machine, 900), [Action::Kill(JOB)]);
}

#[test]
fn a_job_that_never_began_has_ended() {
    let mut machine = running();
    let unborn = told(&mut machine, 1, Event::Unborn(JOB, "no memory".into()));
    assert_eq!(unborn[1], ended(Ending::Unborn("no memory".into())));
    assert_eq!(machine.deadline(), None);
}

#[test]
fn orders_for_jobs_that_are_over_change_nothing() {
    let mut machine = Machine::new(ALLOWANCE);
    for order in [Order::Hello, Order::Look, Order::Terminate(JOB), Order::Kill(JOB)] {
        assert_eq!(told(&mut machine, 0, Event::Ordered(order)), []);
    }
}

#[test]
fn what_ended_with_the_lease_is_told_as_a_lapse() {
    let mut machine = running();
    assert_eq!(passed(&mut machine, 900), [Action::Kill(JOB)]);
    assert_eq!(told(&mut machine, 901, Event::Exited(JOB, Ending::Signalled(9))), [Action::Clear(JOB)]);
    let reason = "was ended by signal 9: its lease ended".into();
    assert_eq!(
        told(&mut machine, 902, Event::Gone(JOB)),
        [Action::NoteEnd(work(), reason), ended(Ending::Lapsed)]
    );
}
