//! A drill that notices nothing proves nothing.

use crate::fleet::{Fleet, Trial};
use crate::seed::Bug;

/// Seeds that are enough to notice each of the bugs below.
const SEEDS: u64 = 200;

fn is_noticed(code: &str) -> bool {
    let bug = Bug::by_code(code);
    assert!(bug.is_some(), "{code} is no bug");
    let fleet = Fleet { start: 0, seeds: SEEDS, jobs: 2, trial: Trial::Library, bug, stop_at_first: true };
    !fleet.run(|_| ()).is_empty()
}

#[test]
fn a_lie_of_the_surroundings_is_noticed() {
    for code in ["M35", "S1", "S4"] {
        assert!(is_noticed(code), "{code}");
    }
}

#[test]
fn a_broken_rule_of_the_machine_is_noticed() {
    for code in ["M06", "X1", "N3", "N7"] {
        assert!(is_noticed(code), "{code}");
    }
}
