//! Seeds that keep every promise, and flaws that are noticed.

use super::*;

#[test]
fn whoever_is_killed_or_frozen_every_promise_is_kept() {
    for seed in 0..500 {
        assert_eq!(run(seed, None), None, "seed {seed}");
    }
}

#[test]
fn every_rule_that_is_broken_is_noticed() {
    for flaw in Flaw::ALL {
        assert!(notices(flaw, 2_000).is_some(), "{} {flaw:?}", flaw.code());
    }
}

#[test]
fn however_many_threads_run_them_seeds_come_to_the_same() {
    let one = run_all(0..60, 1, Some(Flaw::NoGuard), || ());
    assert_eq!(run_all(0..60, 3, Some(Flaw::NoGuard), || ()), one);
    assert!(!one.is_empty());
}
