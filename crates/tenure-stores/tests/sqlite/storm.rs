//! Real processes, real faults: three members, 32 shards, fifty random blows; and another user who may write in their folder.

use std::time::Duration;

use std::path::PathBuf;

use crate::fleet::processes::sqlite;
use crate::fleet::{Blow, Fleet, Spec, Storm, child};
use crate::stranger::{Nuisance, can_be_a_stranger, common_folder};

/// What a stranger tries, again and again. All that he can do is leave files of his own.
const NUISANCES: [(&str, &str); 3] = [
    (
        "a stranger forges locks",
        "for f in tenure.db-locks/* tenure.db-locks/00112233445566778899aabbccddeeff; do rm $f; echo 1 2 > $f; done",
    ),
    ("a stranger holds locks", "for f in tenure.db*  tenure.db-locks/*; do flock -n $f sleep 0.1; done"),
    (
        "a stranger drops and moves files",
        "touch tenure.db-1 junk.beats; for f in tenure.db*; do mv $f $f.gone; ln -f $f $f.link; echo x >> $f; done",
    ),
];

/// Another user who tries something for a while.
struct Stranger {
    folder: PathBuf,
    script: String,
    busy: Option<Nuisance>,
}

impl Stranger {
    fn new(folder: &std::path::Path, deeds: &str) -> Self {
        let script = format!("echo; while :; do {deeds}; sleep 0.02; done");
        Self { folder: folder.into(), script, busy: None }
    }
}

impl Blow for Stranger {
    fn strike(&mut self) {
        self.busy = Some(Nuisance::begin(&self.folder, &self.script));
    }

    fn heal(&mut self) {
        self.busy = None;
    }
}

/// Not a test by itself: this binary, started again as a member.
#[test]
fn member_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let folder = common_folder();
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(2), |_| sqlite(folder.path()));
    let mut storm = Storm::new(fleet);
    for (name, deeds) in NUISANCES.into_iter().filter(|_| can_be_a_stranger()) {
        storm = storm.with(name, 0.5..2.0, Stranger::new(folder.path(), deeds));
    }
    storm.rage(50);
    storm.prove();
}
