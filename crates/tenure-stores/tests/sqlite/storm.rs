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
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(2), |_| sqlite(folder.path()));
    let mut storm = Storm::new(fleet);
    storm.rage(50);
    storm.prove();
}
