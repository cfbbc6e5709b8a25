//! Whole members over a perfect store: what they do, and in which order.

use super::Machine;
use super::town::{Town, secs, timing, two_at_rest};
use crate::config::Config;
use crate::entropy::Entropy;
use crate::ids::{Process, ShardId};
use crate::message::{Action, Event, Notice, Reply};
use crate::shard::WorkState;

#[test]
fn a_lone_member_founds_the_cluster_and_owns_every_shard() {
    let mut town = Town::new();
    town.add("a", 12);
    town.run(secs(3));
    assert_eq!(town.counts(), [12]);
    assert_eq!(town.houses[0].machine.snapshot(town.now).unowned, []);
}

#[test]
fn the_first_plan_waits_until_the_members_are_settled() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.add("c", 12);
    town.run(secs(5));
    assert_eq!(town.counts(), [4, 4, 4]);
    let promised = town
        .houses
        .iter()
        .flat_map(|house| &house.notices)
        .filter(|notice| matches!(notice, Notice::Planned { reason, .. } if reason.contains("balance")));
    assert_eq!(promised.count(), 0, "nobody grabbed what it had to give back");
}

#[test]
fn a_joiner_gets_its_share() {
    let mut town = Town::new();
    town.add("a", 12);
    town.run(secs(5));
    town.add("b", 12);
    town.run(secs(10));
    assert_eq!(town.counts(), [6, 6]);
}

#[test]
fn no_more_shards_are_on_the_move_at_once_than_the_budget_allows() {
    let mut town = Town::new();
    town.add("ada", 100);
    town.run(secs(30));
    town.houses[0].obliging = false;
    town.add("ben", 100);
    town.run(secs(8));
    assert_eq!(town.on_the_move(), 25, "a quarter of the shards, although half of them are to go");
}

#[test]
fn a_leaver_hands_everything_on_and_ends() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.tell(0, Event::Leave);
    town.run(secs(3));
    assert_eq!(town.counts(), [0, 12]);
    assert!(town.houses[0].ended);
}

#[test]
fn a_member_that_is_cut_off_stops_before_anybody_else_begins_and_comes_back() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.houses[0].cut_off = true;
    town.run(secs(8));
    assert_eq!(town.counts(), [0, 6], "it stopped, and nobody has its shards yet");
    town.run(secs(12));
    assert_eq!(town.counts(), [0, 12]);
    town.houses[0].cut_off = false;
    town.run(secs(10));
    assert_eq!(town.counts(), [6, 6], "it came back by itself");
}

#[test]
fn a_process_that_is_proven_dead_is_replaced_at_once() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.houses[0].ended = true;
    for seat in town.houses[0].seats.values() {
        seat.close();
    }
    town.tell(1, Event::Died(Process(1 << 96)));
    assert_eq!(town.counts(), [0, 12]);
}

#[test]
fn idle_writes_do_not_depend_on_the_number_of_shards() {
    let idle_writes = |shards: u32| {
        let mut town = Town::new();
        town.add("a", shards);
        town.add("b", shards);
        town.run(secs(60));
        let before = town.writes;
        town.run(secs(600));
        town.writes - before
    };
    assert_eq!(idle_writes(16), idle_writes(400));
}

#[test]
fn a_shard_count_that_differs_from_the_clusters_is_refused() {
    let mut town = Town::new();
    town.add("a", 12);
    town.run(secs(1));
    let config = Config::new("b".parse().unwrap(), Process(99), 13, timing());
    let mut machine = Machine::new(config, Entropy::new(9));
    let mut actions = Vec::new();
    machine.handle(town.now, Event::Start, &mut actions);
    let Some(Action::Call { call, .. }) = actions.pop() else { panic!("it reads meta first") };
    let meta = town.store["meta"].clone();
    machine.handle(town.now, Event::Reply { call, reply: Reply::Found(meta) }, &mut actions);
    let Some(Action::End(crate::message::Ending::Mismatch { setting, problem })) = actions.pop() else {
        panic!("it ends")
    };
    assert_eq!(setting, "shards");
    assert!(problem.contains("use 12"), "{problem}");
}

#[test]
fn a_member_that_an_operator_drains_hands_everything_on_and_takes_it_back_when_that_is_undone() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.drain("a", true);
    town.run(secs(5));
    assert_eq!(town.counts(), [0, 12]);
    town.run(secs(60));
    assert_eq!(town.counts(), [0, 12], "its renewals keep what the operator wrote");
    town.drain("a", false);
    town.run(secs(10));
    assert_eq!(town.counts(), [6, 6]);
}

#[test]
fn a_shard_that_fails_everywhere_comes_to_rest_and_goes_on_being_tried() {
    let mut town = Town::new();
    town.add("a", 2);
    town.add("b", 2);
    town.run(secs(5));
    for house in &mut town.houses {
        house.broken = Some(ShardId(0));
    }
    town.fail(ShardId(0));
    town.run(secs(90));
    let epochs = |town: &Town| town.houses[0].machine.snapshot(town.now).holdings[0].epoch;
    let before = epochs(&town);
    assert!(before.0 >= 2, "it was handed on");
    town.run(secs(8));
    assert_eq!(epochs(&town), before, "the ledger is not written for every failure");
    for house in &mut town.houses {
        house.broken = None;
    }
    town.run(secs(120));
    assert_eq!(town.counts().iter().sum::<usize>(), 2);
}

fn looks_of_one_second(town: &mut Town) -> usize {
    town.reads.clear();
    town.run(secs(1));
    town.reads.iter().filter(|read| *read == "members").count()
}

#[test]
fn whoever_waits_for_a_shard_looks_more_often() {
    let mut town = two_at_rest();
    let at_rest = looks_of_one_second(&mut town);
    town.houses[1].obliging = false;
    town.tell(1, Event::Leave);
    town.run(secs(2));
    assert!(
        town.houses[0].machine.snapshot(town.now).work.iter().any(|work| work.state == WorkState::Warming)
    );
    assert!(looks_of_one_second(&mut town) > at_rest + 1);
}
