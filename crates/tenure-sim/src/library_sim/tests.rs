//! A simulation that notices nothing proves nothing.

use crate::bug::Bug;
use crate::fleet::{Fleet, Trial};
use crate::log::Log;

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
    for code in ["M06", "X1", "N3", "N7", "X25", "X28"] {
        assert!(is_noticed(code), "{code}");
    }
}

#[test]
fn everything_that_is_drawn_happens() {
    let mut missing = vec![
        "DrainRecord",
        "Move",
        "Fence",
        "DeleteRecord",
        "SpoilPage",
        "aborts itself",
        "\"drained\":true",
    ];
    for seed in 0..SEEDS {
        let mut log = Log::recording();
        Trial::Library.run(seed, None, &mut log);
        missing.retain(|words| !log.lines().iter().any(|line| line.what.contains(words)));
        if missing.is_empty() {
            return;
        }
    }
    panic!("never seen: {missing:?}");
}
