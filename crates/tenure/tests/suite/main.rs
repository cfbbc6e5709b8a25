//! The store suite finds bad stores: each of these looks fine to whoever tries one thing at a time, and each is caught.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod bad;
mod flaw;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bad::Bad;
use flaw::Flaw;
use tenure::store::Memory;
use tenure::testing::{RULES, Rule, Subject, run};

/// The rules that a store with this flaw breaks.
fn broken_by(flaw: Flaw) -> Vec<&'static str> {
    let broken = RULES.iter().filter(|rule| breaks(rule, || bad(flaw)));
    broken.map(|rule| rule.name).collect()
}

fn bad(flaw: Flaw) -> Subject {
    let (store, other) = Bad::pair(flaw);
    Subject::new(store).with_second_handle(other).with_patience(Duration::from_secs(5))
}

fn breaks(rule: &Rule, make: impl Fn() -> Subject) -> bool {
    let subject = make();
    catch_unwind(AssertUnwindSafe(|| run((rule.check)(&subject)))).is_err()
}

#[track_caller]
fn assert_caught(flaw: Flaw, by: &str) {
    let broken = broken_by(flaw);
    assert!(broken.contains(&by), "{flaw:?} breaks {broken:?}, and not {by}");
}

const SOAK: &str = "thousands_of_calls_make_sense_together";

#[test]
fn a_store_without_a_flaw_breaks_no_rule() {
    let good = || {
        let store = Memory::new();
        Subject::new(store.clone()).with_second_handle(store)
    };
    let broken: Vec<_> = RULES.iter().filter(|rule| breaks(rule, good)).collect();
    assert_eq!(format!("{broken:?}"), "[]");
}

#[test]
fn a_wrapper_without_a_flaw_breaks_no_rule() {
    assert_eq!(broken_by(Flaw::None), Vec::<&str>::new());
}

#[test]
fn one_write_lost_in_a_thousand_is_caught_by_the_soak() {
    assert_caught(Flaw::WriteLost, SOAK);
}

#[test]
fn one_old_read_in_two_hundred_is_caught_by_the_soak() {
    assert_caught(Flaw::ReadOld, SOAK);
}

#[test]
fn a_handle_that_reads_from_its_own_cache_is_caught_by_the_soak() {
    assert_caught(Flaw::ReadCached, SOAK);
}

#[test]
fn a_false_unchanged_is_caught_by_the_soak() {
    assert_caught(Flaw::UnchangedRarely, SOAK);
    assert_caught(Flaw::UnchangedThoughRemoved, SOAK);
}

#[test]
fn a_write_that_landed_though_it_is_denied_is_caught_by_the_soak() {
    assert_caught(Flaw::UnavailableThoughLanded, SOAK);
    assert_caught(Flaw::ConflictThoughLanded, SOAK);
}

#[test]
fn a_write_that_shows_late_is_caught_by_the_soak() {
    assert_caught(Flaw::WriteLate, SOAK);
}

#[test]
fn a_removal_in_two_steps_is_caught_by_a_race_and_by_the_soak() {
    assert_caught(Flaw::RemovalInTwoSteps, "of_racing_removals_and_replaces_one_wins");
    assert_caught(Flaw::RemovalInTwoSteps, SOAK);
}

#[test]
fn a_replacement_in_two_steps_is_caught_by_a_race() {
    assert_caught(Flaw::ReplacementInTwoSteps, "of_racing_replaces_one_wins");
}

#[test]
fn a_list_cut_at_a_hundred_is_caught_by_a_long_one() {
    assert_caught(Flaw::ListCut, "a_list_of_many_is_whole");
}

#[test]
fn a_list_in_pages_that_slip_is_caught_while_keys_come_and_go() {
    assert_caught(Flaw::ListSlips, "a_list_misses_no_key_that_stays");
}

#[test]
fn a_list_that_mixes_versions_and_contents_is_caught_by_the_soak() {
    assert_caught(Flaw::ListMixes, SOAK);
}

#[test]
fn a_watch_that_dies_after_three_hints_is_caught_by_a_long_one() {
    assert_caught(Flaw::WatchDies, "hints_go_on_for_as_long_as_one_watches");
}
