//! A seed decides everything: a failing one is a whole bug report only if it fails the same way twice.

use tenure_sim::clock::Nanos;
use tenure_sim::fleet::Trial;
use tenure_sim::log::Log;
use tenure_sim::machine_sim;

fn recorded(trial: Trial, seed: u64) -> Log {
    let mut log = Log::recording();
    trial.run(seed, None, &mut log);
    log
}

fn run_the_same_way_twice(trial: Trial, seeds: u64) {
    for seed in 0..seeds {
        let (first, second) = (recorded(trial, seed), recorded(trial, seed));
        assert!(first.lines().len() > 10, "seed {seed} did nothing");
        assert_eq!(first.fingerprint(), second.fingerprint(), "seed {seed}");
    }
}

#[test]
fn a_seed_runs_the_same_way_twice() {
    run_the_same_way_twice(Trial::Machines, 60);
}

#[test]
fn a_seed_runs_the_same_way_twice_on_the_library() {
    run_the_same_way_twice(Trial::Library, 20);
}

#[test]
fn two_seeds_run_differently() {
    for trial in [Trial::Machines, Trial::Library] {
        assert_ne!(recorded(trial, 1).fingerprint(), recorded(trial, 2).fingerprint());
    }
}

#[test]
fn a_log_changes_nothing() {
    for seed in 0..60 {
        let silent = machine_sim::run(seed, None, Nanos::MAX, &mut Log::off());
        let spoken = machine_sim::run(seed, None, Nanos::MAX, &mut Log::recording());
        assert_eq!(silent, spoken, "seed {seed}");
    }
}
