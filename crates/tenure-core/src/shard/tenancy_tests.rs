//! One shard's life, event by event.

use std::time::Duration;

use super::{Tenancy, Verdict, WorkState};
use crate::Rules;
use crate::config::{OnStuck, Restart};
use crate::guard::{Lease, Seat};
use crate::ids::{Epoch, Lineage, ShardId};
use crate::message::{Action, Outcome};
use crate::moment::{Moment, Timing};

fn at(ms: u64) -> Moment {
    Moment::from_nanos(ms * 1_000_000)
}

fn acting(out: &mut Vec<Action>) -> Tenancy {
    let lease = Lease::default();
    lease.extend(at(1_000_000));
    let mut tenancy = Tenancy::warm(Seat::new(ShardId(7), Lineage(1), Epoch(3), lease), out);
    tenancy.act(at(0), out);
    out.clear();
    tenancy
}

fn timing() -> Timing {
    Timing::for_ttl(Duration::from_secs(10))
}

#[test]
fn a_warming_shard_does_not_hold() {
    let mut out = Vec::new();
    let lease = Lease::default();
    lease.extend(at(1_000));
    let mut tenancy = Tenancy::warm(Seat::new(ShardId(7), Lineage(1), Epoch(3), lease), &mut out);
    assert!(!tenancy.seat().holds(at(0)));
    tenancy.act(at(0), &mut out);
    assert!(tenancy.seat().holds(at(0)));
    assert!(matches!(out[..], [Action::Warm(_), Action::Act(_)]));
}

#[test]
fn work_that_ends_while_draining_closes_the_seat() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    assert_eq!(tenancy.drain(None, at(500), &mut out), Verdict::Stays);
    assert!(tenancy.seat().holds(at(1)), "a draining owner still owns");
    assert_eq!(
        tenancy.ended(at(10), Outcome::Done, &Restart::default(), Rules::ALL, &mut out),
        Verdict::Over
    );
    assert!(!tenancy.seat().holds(at(10)));
}

#[test]
fn a_drain_that_takes_too_long_is_interrupted_and_then_aborted() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    tenancy.drain(None, at(500), &mut out);
    assert_eq!(tenancy.deadline(&timing(), &Restart::default()), Some(at(500)));
    out.clear();
    tenancy.advance(at(500), &timing(), OnStuck::Abort, &Restart::default(), &mut out);
    assert!(matches!(out[..], [Action::Interrupt(_)]));
    assert!(!tenancy.seat().holds(at(500)));
    out.clear();
    assert_eq!(wait_for_stuck(&mut tenancy, &mut out), at(500 + 1875));
    assert!(matches!(out[..], [Action::Notice(_), Action::Abort(ShardId(7))]));
    assert_eq!(tenancy.deadline(&timing(), &Restart::default()), None);
}

#[test]
fn failed_work_restarts_with_growing_pauses_and_is_then_handed_on() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    let restart = Restart { hand_on_after: 3, ..Restart::default() };
    let fail = || Outcome::Failed("no disk".into());
    assert_eq!(tenancy.ended(at(0), fail(), &restart, Rules::ALL, &mut out), Verdict::Stays);
    assert_eq!(tenancy.deadline(&timing(), &Restart::default()), Some(at(200)));
    tenancy.advance(at(200), &timing(), OnStuck::Abort, &Restart::default(), &mut out);
    assert_eq!(tenancy.ended(at(200), fail(), &restart, Rules::ALL, &mut out), Verdict::Stays);
    assert_eq!(tenancy.deadline(&timing(), &Restart::default()), Some(at(600)));
    tenancy.advance(at(600), &timing(), OnStuck::Abort, &Restart::default(), &mut out);
    assert_eq!(tenancy.ended(at(600), fail(), &restart, Rules::ALL, &mut out), Verdict::HandOn);
    assert_eq!(tenancy.failures(), (3, Some("no disk")));
    assert!(tenancy.seat().closed());
}

#[test]
fn a_move_that_is_called_off_lets_the_work_go_on() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    tenancy.drain(None, at(500), &mut out);
    assert!(tenancy.seat().draining());
    tenancy.resume(at(20), &mut out);
    assert!(!tenancy.seat().draining());
    assert_eq!(tenancy.deadline(&timing(), &Restart::default()), None);
}

#[test]
fn work_that_finished_for_a_move_that_was_called_off_is_started_again_once() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    let ended = |tenancy: &mut Tenancy, ms, out: &mut Vec<Action>| {
        tenancy.ended(at(ms), Outcome::Done, &Restart::default(), Rules::ALL, out)
    };
    tenancy.drain(None, at(500), &mut out);
    tenancy.resume(at(20), &mut out);
    out.clear();
    assert_eq!(ended(&mut tenancy, 30, &mut out), Verdict::Stays);
    assert!(matches!(out[..], [Action::Act(_)]), "{out:?}");
    assert!(tenancy.seat().holds(at(30)));
    out.clear();
    assert_eq!(ended(&mut tenancy, 40, &mut out), Verdict::Stays);
    assert!(out.is_empty(), "it finished by itself: {out:?}");
    assert_eq!(tenancy.state(), WorkState::Finished);
}

#[test]
fn a_closed_seat_never_opens_again() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    assert_eq!(tenancy.interrupt(at(5), &mut out), Verdict::Stays);
    tenancy.resume(at(6), &mut out);
    tenancy.act(at(6), &mut out);
    assert!(!tenancy.seat().holds(at(6)));
}

/// Advances whenever the tenancy asks for it; says when it gave up on its work.
fn wait_for_stuck(tenancy: &mut Tenancy, out: &mut Vec<Action>) -> Moment {
    let mut now = Moment::ZERO;
    while let Some(deadline) = tenancy.deadline(&timing(), &Restart::default()) {
        now = deadline;
        tenancy.advance(now, &timing(), OnStuck::Abort, &Restart::default(), out);
    }
    assert!(tenancy.is_stuck());
    now
}

#[test]
fn while_a_process_stands_still_its_work_loses_no_time() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    tenancy.interrupt(at(0), &mut out);
    out.clear();
    tenancy.advance(at(60_000), &timing(), OnStuck::Abort, &Restart::default(), &mut out);
    tenancy.advance(at(120_000), &timing(), OnStuck::Abort, &Restart::default(), &mut out);
    assert!(out.is_empty(), "nobody was awake to see it end: {out:?}");
    // Each time a look that is late at all counts as a quarter of the limit.
    assert_eq!(wait_for_stuck(&mut tenancy, &mut out), at(120_000) + timing().abort_limit / 2);
}

#[test]
fn looks_that_come_early_make_nothing_shorter() {
    let mut out = Vec::new();
    let mut tenancy = acting(&mut out);
    tenancy.interrupt(at(0), &mut out);
    for ms in 1..100 {
        tenancy.advance(at(ms), &timing(), OnStuck::Abort, &Restart::default(), &mut out);
    }
    assert_eq!(wait_for_stuck(&mut tenancy, &mut out), at(0) + timing().abort_limit);
}
