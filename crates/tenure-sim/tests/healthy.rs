//! The machine as it is keeps every promise, whatever the seed does to it.

use tenure_sim::fleet::Fleet;

#[test]
fn no_seed_breaks_a_promise() {
    let fleet = Fleet { start: 0, seeds: 400, jobs: 2, bug: None, stop_at_first: false };
    let failures = fleet.run(|_| ());
    assert!(failures.is_empty(), "{failures:#?}");
}
