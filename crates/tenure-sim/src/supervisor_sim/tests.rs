//! Seeds that keep every promise, and flaws that are noticed.

use super::*;
use crate::fleet::{Fleet, Trial};
use crate::mutants::Hunt;

fn broken(jobs: usize, seeds: u64, flaw: Option<HelperFlaw>) -> Vec<(u64, Violation)> {
    let bug = flaw.map(Bug::Helpers);
    let fleet = Fleet { start: 0, seeds, jobs, trial: Trial::Supervisor, bug, stop_at_first: false };
    fleet.run(|_| ()).into_iter().map(|failure| (failure.seed, failure.violation)).collect()
}

#[test]
fn whoever_is_killed_or_frozen_every_promise_is_kept() {
    assert_eq!(broken(2, 500, None), []);
}

#[test]
fn every_rule_that_is_broken_is_noticed() {
    for flaw in HelperFlaw::ALL {
        assert!(Hunt::new(Bug::Helpers(flaw), 2_000, 2).is_good(), "{} {flaw:?}", flaw.code());
    }
}

#[test]
fn however_many_threads_run_them_seeds_come_to_the_same() {
    let one = broken(1, 60, Some(HelperFlaw::NoGuard));
    assert_eq!(broken(3, 60, Some(HelperFlaw::NoGuard)), one);
    assert!(!one.is_empty());
}
