//! Seeds of the journal: they keep every promise, do everything that can happen, and notice every flaw.

use tenure_core::journal::Flaw;
use tenure_sim::bug::Bug;
use tenure_sim::fleet::{Fleet, Trial};
use tenure_sim::log::Log;
use tenure_sim::mutants::Hunt;

/// Words of the log, and what they stand for.
const MUST_HAPPEN: [(&str, &str); 13] = [
    (", ahead", "an heir reads ahead"),
    ("has its turn", "an heir has its turn"),
    ("crashes", "a process ends"),
    ("lands late", "a write lands late"),
    ("will again", "a write lands twice"),
    ("is lost", "an answer is lost"),
    ("begins to shorten", "a snapshot is made"),
    ("does not hear of it", "a removal lands late"),
    ("4 records", "records are committed together"),
    ("is spoilt", "something is spoilt"),
    ("is deleted", "something is deleted"),
    ("restored from a copy", "everything is restored"),
    ("an opening of epoch", "a journal is opened on rows"),
];

#[test]
fn no_seed_breaks_a_promise_of_the_journal() {
    let fleet =
        Fleet { start: 0, seeds: 10_000, jobs: 2, trial: Trial::Journal, bug: None, stop_at_first: false };
    let failures = fleet.run(|_| ());
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn everything_that_can_happen_to_a_journal_happens() {
    let mut missing = MUST_HAPPEN.to_vec();
    for seed in 0..500 {
        let mut log = Log::recording();
        Trial::Journal.run(seed, None, &mut log);
        missing.retain(|(words, _)| !log.lines().iter().any(|line| line.what.contains(words)));
    }
    assert_eq!(missing, []);
}

#[test]
fn a_seed_of_the_journal_runs_the_same_way_twice() {
    let recorded = |seed| {
        let mut log = Log::recording();
        Trial::Journal.run(seed, None, &mut log);
        log
    };
    for seed in 0..100 {
        assert!(recorded(seed).lines().len() > 10, "seed {seed} did nothing");
        assert_eq!(recorded(seed).fingerprint(), recorded(seed).fingerprint(), "seed {seed}");
    }
    assert_ne!(recorded(1).fingerprint(), recorded(2).fingerprint());
}

#[test]
fn seeds_notice_every_flaw_of_the_journal() {
    for flaw in Flaw::OF_NAMES.iter().chain(Flaw::OF_ROWS) {
        let hunt = Hunt::new(Bug::Journal(*flaw), 100_000, 2);
        println!("{} {:?}", flaw.code(), hunt.fate);
        assert!(hunt.is_good(), "{} {flaw:?}", flaw.code());
    }
}
