//! Events in, exact actions out.

use tenure::{Epoch, ShardId};

use super::*;

const ALLOWANCE: Duration = Duration::from_millis(100);
const JOB: JobId = JobId(1);

fn at(millis: u64) -> Moment {
    Moment::ZERO + Duration::from_millis(millis)
}

fn work() -> Work {
    Work { shard: ShardId(3), epoch: Epoch(7), incarnation: "line.1".into(), traceparent: None }
}

fn lease(millis: u64) -> Event {
    Event::Ordered(Order::Lease(at(millis).as_nanos()))
}

fn start() -> Event {
    Event::Ordered(Order::Start(JOB, work()))
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

/// A machine that runs one job under a lease up to 1000 ms.
fn running() -> Machine {
    let mut machine = Machine::new(ALLOWANCE);
    assert_eq!(told(&mut machine, 0, lease(1000)), []);
    let begun = Action::Tell(Report::Begun(JOB));
    assert_eq!(told(&mut machine, 0, start()), [Action::NoteAct(work()), begun, Action::Start(JOB, work())]);
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
    assert_eq!(told(&mut machine, 500, lease(1500)), []);
    assert_eq!(passed(&mut machine, 1000), []);
    assert_eq!(machine.deadline(), Some(at(1400)));
}

#[test]
fn a_renewal_read_after_the_deadline_saves_nothing() {
    let mut machine = running();
    assert_eq!(told(&mut machine, 950, lease(2000)), [Action::Kill(JOB)]);
}

#[test]
fn a_lapse_kills_at_once() {
    let mut machine = running();
    assert_eq!(told(&mut machine, 10, lease(0)), [Action::Kill(JOB)]);
}

#[test]
fn nothing_is_started_after_the_deadline_however_late_the_order_is_read() {
    let mut machine = Machine::new(ALLOWANCE);
    assert_eq!(told(&mut machine, 0, start()), [ended(Ending::Refused)], "no lease yet");
    told(&mut machine, 0, lease(1000));
    assert_eq!(told(&mut machine, 900, start()), [ended(Ending::Refused)]);
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
    for order in [Order::Hello, Order::Terminate(JOB), Order::Kill(JOB)] {
        assert_eq!(told(&mut machine, 0, Event::Ordered(order)), []);
    }
}
