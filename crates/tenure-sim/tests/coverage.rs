//! Seeds that never do harm prove nothing: among a few hundred, everything that can happen must have happened.

use tenure_sim::clock::Nanos;
use tenure_sim::log::Log;
use tenure_sim::machine_sim;

/// Words of the log, and what they stand for.
const MUST_HAPPEN: [(&str, &str); 32] = [
    ("notice Joined", "a member joins"),
    ("notice Waiting", "a member waits for a former life of its id"),
    ("reason: Expired", "a lease runs out"),
    ("reason: Ousted", "a record is taken away from its member"),
    ("reason: Clock", "a clock is distrusted"),
    ("notice Deposed", "a silent member is deposed"),
    ("notice ProvenDead", "a dead member is closed by proof"),
    ("notice Unreadable", "a record can't be understood"),
    ("notice Restarting", "work fails and is started again"),
    ("notice HandedOn", "work that keeps failing is offered to others"),
    ("notice Stuck", "work does not end"),
    ("notice Refused", "the store refuses a member"),
    ("→ warm", "an heir prepares"),
    ("→ drain", "an owner drains"),
    ("→ resume", "a move is called off in time"),
    ("→ interrupt", "work is told to end"),
    ("→ cool", "an heir gives up"),
    ("→ grant", "an owner grants"),
    ("→ abort", "a watchdog aborts"),
    ("→ end: Left", "a member leaves"),
    ("state\":\"gone", "a member says gone"),
    ("\"released\":[[", "a release is written"),
    ("\"drained\":true", "an operator drains"),
    ("→ call", "the store is called"),
    ("unknown:", "a write's outcome is unknown"),
    (": conflict", "a write loses a race"),
    ("stands still", "a process is paused"),
    ("DeletePage", "a page is deleted"),
    ("notice Rollback", "a member finds that its own record went back"),
    ("recovers: Finish", "a cluster is recovered after its store forgot"),
    ("notice Recovered", "a member finds that its cluster was recovered"),
    ("StrangeRelease", "a record says of another life that it ended an epoch"),
];

#[test]
fn everything_that_can_happen_happens() {
    let mut missing = MUST_HAPPEN.to_vec();
    for seed in 0..600 {
        let mut log = Log::recording();
        machine_sim::run(seed, None, Nanos::MAX, &mut log);
        missing.retain(|(words, _)| !log.lines().iter().any(|line| line.what.contains(words)));
        if missing.is_empty() {
            return;
        }
    }
    panic!("never seen: {missing:#?}");
}
