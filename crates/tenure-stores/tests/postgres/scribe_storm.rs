//! Real processes write to journals in one database, under blows to them, to their links and to the server.

use std::time::Duration;

use tenure_testbed::postgres::{Options, Server};
use tenure_testbed::proxy::Mode;
use tokio::runtime::Runtime;

use crate::fleet::processes::folder;
use crate::fleet::{Links, Target};
use crate::scribes::storm::SCRIBES;
use crate::scribes::{ScribeStorm, Spec, child};

/// Longer than it takes others to take a journal and to shorten it.
const LATE: Duration = Duration::from_millis(700);

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
    let server = runtime.block_on(Server::start_with(Options { fsync: true, ..Options::default() }));
    let links = Links::new(&runtime, SCRIBES, &[([127, 0, 0, 1], server.port()).into()]);
    let url = server.url();
    let mut storm = ScribeStorm::new(folder.path(), |number| links.seen_by(number, &url));
    for number in 0..SCRIBES {
        storm = storm
            .with(
                format!("what scribe {number} sends is late"),
                500..1_500,
                links.of(number, Mode::Delay(LATE)),
            )
            .with(format!("the link of scribe {number} is cut"), 50..300, links.of(number, Mode::Cut));
    }
    let mut storm =
        storm.with("the server is killed", 100..300, Target::new(server).killed(runtime.handle()));
    storm.rage(45);
    storm.prove(&runtime, &url);
}
