//! Real processes write to journals in one SQLite file, under random blows.

use tokio::runtime::Runtime;

use crate::fleet::processes::folder;
use crate::scribes::{ScribeStorm, Spec, child};

/// Not a test by itself: this binary, started again as a scribe.
#[test]
fn scribe_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

#[test]
fn every_acknowledged_record_is_there_once_in_order_and_none_after_a_later_fence() {
    let (folder, runtime) = (folder(), Runtime::new().unwrap());
    let address = format!("sqlite:{}", folder.path().join("journal.db").display());
    let mut storm = ScribeStorm::new(folder.path(), |_| address.clone());
    storm.rage(40);
    storm.prove(&runtime, &address);
}
