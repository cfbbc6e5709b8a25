//! One blow at a time: who dies, who ends the children, who takes over.

use std::time::Duration;

use rustix::process::{Signal, kill_process};

use crate::beat::LET_GO;
use crate::fleet::Fleet;

const TTL: Duration = Duration::from_secs(2);

/// All shards are with the second member.
fn all_with_the_other(counts: &[usize]) -> bool {
    counts[0] == 0
}

#[test]
fn the_children_of_a_killed_member_die_and_run_elsewhere() {
    let mut fleet = Fleet::of(2, 8);
    fleet.members[0].kill();
    fleet.settle(all_with_the_other);
    fleet.restart(0);
    fleet.settle(|counts| counts.iter().all(|count| *count > 0));
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_member_whose_warden_is_killed_ends_the_children_and_leaves() {
    let mut fleet = Fleet::of(2, 8);
    kill_process(fleet.members[0].warden(), Signal::KILL).unwrap();
    assert_eq!(fleet.members[0].end().code(), Some(6));
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn no_child_outlives_its_member_and_its_warden() {
    let mut fleet = Fleet::of(2, 8);
    kill_process(fleet.members[0].warden(), Signal::KILL).unwrap();
    fleet.members[0].kill();
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_member_whose_reaper_is_killed_ends_the_children_and_leaves() {
    let mut fleet = Fleet::of(2, 8);
    kill_process(fleet.members[0].reaper(), Signal::KILL).unwrap();
    assert_eq!(fleet.members[0].end().code(), Some(6));
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn nothing_acts_for_a_member_that_was_killed_with_its_reaper_and_its_warden() {
    let mut fleet = Fleet::new(8).of_deserters().with_members(2).settled();
    fleet.members[0].kill_all();
    fleet.settle(all_with_the_other);
    // Long enough for an old worker to be seen beside the new one.
    std::thread::sleep(TTL);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn nothing_acts_for_a_member_that_is_frozen_with_its_reaper_and_its_warden() {
    let mut fleet = Fleet::new(8).of_deserters().with_members(2).settled();
    let all = fleet.members[0].processes().map(|(_, pid)| pid);
    all.into_iter().for_each(|pid| kill_process(pid, Signal::STOP).unwrap());
    fleet.settle(all_with_the_other);
    fleet.members[0].signal(Signal::CONT);
    assert_eq!(fleet.members[0].end_soon().code(), Some(6));
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_frozen_reaper_is_missed_and_the_member_leaves() {
    let mut fleet = Fleet::of(2, 8);
    kill_process(fleet.members[0].reaper(), Signal::STOP).unwrap();
    assert_eq!(fleet.members[0].end_soon().code(), Some(6));
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_frozen_warden_is_missed_and_the_member_leaves() {
    let mut fleet = Fleet::new(8).in_the_open().with_members(2).settled();
    kill_process(fleet.members[0].warden(), Signal::STOP).unwrap();
    assert_eq!(fleet.members[0].end_soon().code(), Some(6));
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_command_that_is_long_in_dying_costs_its_own_shard_alone() {
    let mut fleet = Fleet::new(8).of_clingers().with_members(2).settled();
    let (from, warden) = (fleet.owner_of(0), fleet.members[fleet.owner_of(0)].warden());
    let heir = if from == 0 { "m1" } else { "m0" };
    let moved = fleet.tenure(&["move", "0", "--to", heir, "--no-wait"]);
    assert!(moved.status.success(), "{moved:?}");
    let stuck = format!("shard 0 is stuck at m{from}: the work was interrupted and does not end");
    let shown = || String::from_utf8(fleet.tenure(&["status"]).stdout).unwrap();
    while !shown().contains(&stuck) {
        std::thread::sleep(Duration::from_millis(20));
    }
    fleet.hear_beats_of(1..8);
    std::fs::write(fleet.folder().join(LET_GO), "").unwrap();
    while fleet.owner_of(0) == from {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fleet.members[from].warden(), warden);
    assert!(fleet.members.iter_mut().all(|member| member.ended().is_none()));
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn hundreds_of_shards_come_up_on_one_member_under_a_short_lease() {
    let mut fleet = Fleet::new(600).with_ttl(Duration::from_secs(1));
    fleet.start_running(&["sleep", "100000"]);
    fleet.await_children(&["sleep", "100000"], |counts| counts == [600]);
    assert!(fleet.members[0].ended().is_none());
    fleet.leave_nothing();
}

#[test]
fn a_frozen_warden_of_a_killed_member_keeps_no_child() {
    let mut fleet = Fleet::of(2, 8);
    kill_process(fleet.members[0].warden(), Signal::STOP).unwrap();
    fleet.members[0].kill();
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_frozen_member_with_a_frozen_warden_keeps_no_child() {
    let mut fleet = Fleet::of(2, 8);
    kill_process(fleet.members[0].warden(), Signal::STOP).unwrap();
    fleet.members[0].signal(Signal::STOP);
    fleet.settle(all_with_the_other);
    fleet.members[0].signal(Signal::CONT);
    assert_eq!(fleet.members[0].end().code(), Some(6));
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_frozen_member_loses_its_children_and_comes_back() {
    let fleet = Fleet::of(2, 8);
    fleet.members[0].signal(Signal::STOP);
    std::thread::sleep(TTL * 3);
    fleet.members[0].signal(Signal::CONT);
    fleet.settle(|counts| counts.iter().all(|count| *count > 0));
    let beats = fleet.assert_exclusive();
    assert!(beats.tenures() > 8, "the shards of the frozen member went to the other");
    fleet.leave_nothing();
}

#[test]
fn a_member_whose_warden_is_frozen_kills_it_rather_than_let_the_lease_run_out() {
    let mut fleet = Fleet::of(2, 8);
    let warden = fleet.members[0].warden();
    kill_process(warden, Signal::STOP).unwrap();
    // Leaving needs the warden: it is told to end the children, and doesn't.
    fleet.members[0].signal(Signal::TERM);
    fleet.members[0].end();
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_member_that_is_asked_to_leave_hands_everything_on() {
    let mut fleet = Fleet::of(2, 8);
    fleet.members[0].signal(Signal::TERM);
    assert_eq!(fleet.members[0].end().code(), Some(0));
    fleet.settle(all_with_the_other);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_fleet_grows_to_four_and_shrinks_to_one() {
    let mut fleet = Fleet::of(1, 8);
    (0..3).for_each(|_| fleet.start());
    fleet.settle(|counts| counts.iter().all(|count| *count == 2));
    for index in 1..4 {
        fleet.members[index].signal(Signal::TERM);
        assert_eq!(fleet.members[index].end().code(), Some(0));
    }
    fleet.settle(|counts| counts[0] == 8);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}
