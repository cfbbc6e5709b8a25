//! The machine as it is keeps every promise, whatever the seed does to it.

use tenure_sim::fleet::{Fleet, Trial};

fn keeps_every_promise(trial: Trial, seeds: u64) {
    let fleet = Fleet { start: 0, seeds, jobs: 2, trial, bug: None, stop_at_first: false };
    let failures = fleet.run(|_| ());
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn no_seed_breaks_a_promise() {
    keeps_every_promise(Trial::Machines, 400);
}

#[test]
fn no_seed_breaks_a_promise_of_the_library() {
    keeps_every_promise(Trial::Library, 40);
}
