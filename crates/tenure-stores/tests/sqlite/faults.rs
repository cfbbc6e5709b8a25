//! Real processes, real faults: three members, 32 shards, fifty random blows.

use std::time::Duration;

use crate::fleet::processes::{folder, sqlite};
use crate::fleet::{Fleet, Spec, Storm, child};

/// Not a test by itself: this binary, started again as a member.
#[test]
fn member_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let folder = folder();
    let again = ["faults::member_process", "--exact", "--nocapture"];
    let mut fleet = Fleet::new(folder.path(), &again, 32, Duration::from_secs(2));
    for id in ["a", "b", "c"] {
        fleet.start(id, &sqlite(folder.path()));
    }
    fleet.settle(0, |counts| counts.iter().all(|count| *count >= 10));
    let mut storm = Storm::new(fleet);
    storm.rage(50);
    storm.prove();
}
