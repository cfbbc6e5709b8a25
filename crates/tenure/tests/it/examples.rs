//! The examples run, as their readers would run them, and say what they show.

use std::process::Command;

/// What the example `name` says.
fn said(name: &str) -> String {
    let run = ["run", "--quiet", "--locked", "--package", "tenure", "--example", name];
    let output = Command::new(env!("CARGO")).args(run).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines of `said` that begin so, in order.
fn lines<'a>(said: &'a str, start: &str) -> Vec<&'a str> {
    said.lines().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn orders_are_taken_and_handed_on() {
    assert!(said("orders").contains("anna left; ben owns all 8 shards"));
}

#[test]
fn a_handler_finishes_when_told_and_an_error_says_what_to_do() {
    let said = said("handler");
    assert_eq!(said.matches("writes down where it stopped").count(), 4, "{said}");
    assert!(said.contains("correct what the message names"), "{said}");
}

#[test]
fn an_heir_loads_before_it_begins() {
    let steps = [
        "loading the books of shard 0 for owner number 1",
        "0@1 begins with 1 order",
        "loading the books of shard 0 for owner number 2",
        "0@2 begins with 1 order",
    ];
    assert_eq!(said("warm_up").lines().collect::<Vec<_>>(), steps);
}

#[test]
fn events_tell_of_every_shard_that_comes_and_goes() {
    let said = said("events");
    assert_eq!(lines(&said, "ada gains").len(), 2, "{said}");
    assert_eq!(lines(&said, "ada gives").len(), 2, "{said}");
    assert_eq!(lines(&said, "ben gains").len(), 2, "{said}");
}

#[test]
fn whoever_places_shards_gets_what_it_asked_for() {
    let owned = ["[0, 1]", "[2, 3]", "[0, 3]", "[1, 2]", "[]", "[0, 1, 2, 3]"];
    let said = said("external_placement");
    let told: Vec<_> = said.lines().filter_map(|line| line.split_once("owns shards ")).collect();
    assert_eq!(told.iter().map(|(_, shards)| *shards).collect::<Vec<_>>(), owned);
}

#[test]
fn a_leader_that_is_gone_is_followed_by_another_in_the_next_term() {
    let said = said("leader");
    let told: Vec<_> = said.lines().collect();
    assert!(told[0].ends_with("leads, in term 1") && told[1].ends_with("leads, in term 2"), "{said}");
}

#[test]
fn a_store_of_ones_own_carries_members_one_after_the_other() {
    let owners = ["ada is owner number 1 of shard 0", "ben is owner number 2 of shard 0"];
    assert_eq!(said("own_store").lines().collect::<Vec<_>>(), owners);
}
