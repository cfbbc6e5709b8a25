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
        let noticed = (0..2_000).find(|seed| run(*seed, Some(flaw)).is_some() && run(*seed, None).is_none());
        assert!(noticed.is_some(), "{} {flaw:?}", flaw.code());
    }
}
