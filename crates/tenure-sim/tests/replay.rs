//! A seed decides everything: a failing one is a whole bug report only if it fails the same way twice.

use tenure_sim::clock::Nanos;
use tenure_sim::log::Log;
use tenure_sim::seed::run_until;

fn recorded(seed: u64) -> Log {
    let mut log = Log::recording();
    run_until(seed, None, Nanos::MAX, &mut log);
    log
}

#[test]
fn a_seed_runs_the_same_way_twice() {
    for seed in 0..60 {
        let (first, second) = (recorded(seed), recorded(seed));
        assert!(first.lines().len() > 10, "seed {seed} did nothing");
        assert_eq!(first.fingerprint(), second.fingerprint(), "seed {seed}");
    }
}

#[test]
fn two_seeds_run_differently() {
    assert_ne!(recorded(1).fingerprint(), recorded(2).fingerprint());
}

#[test]
fn a_log_changes_nothing() {
    for seed in 0..60 {
        let silent = run_until(seed, None, Nanos::MAX, &mut Log::off());
        let spoken = run_until(seed, None, Nanos::MAX, &mut Log::recording());
        assert_eq!(silent, spoken, "seed {seed}");
    }
}
