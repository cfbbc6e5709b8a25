//! Real processes write to journals in one bucket, under blows to them, to their links and to the server: what they send lands late,
//! after another has taken the journal and shortened it.

use std::time::Duration;

use tenure_testbed::proxy::Mode;
use tenure_testbed::s3::Server;
use tokio::runtime::Runtime;

use crate::fleet::processes::folder;
use crate::fleet::{Links, Target};
use crate::rights::{BUCKET, PREFIX, policy};
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
    let server = runtime.block_on(Server::guarded(BUCKET, &policy()));
    let endpoint = server.endpoint();
    let links = Links::new(&runtime, SCRIBES, &[endpoint.trim_start_matches("http://").parse().unwrap()]);
    let url = server.url(BUCKET, PREFIX);
    let mut storm = ScribeStorm::new(folder.path(), |number| links.seen_by(number, &url));
    for number in 0..SCRIBES {
        storm = storm
            .with(
                format!("what scribe {number} sends is late"),
                500..1_500,
                links.of(number, Mode::Delay(LATE)),
            )
            .with(
                format!("no answer reaches scribe {number}"),
                100..500,
                links.of(number, Mode::DropAnswers),
            );
    }
    let server = Target::new(server);
    let mut storm = storm.with("the server is frozen", 200..600, server.frozen()).with(
        "the server is killed",
        100..300,
        server.killed(runtime.handle()),
    );
    storm.rage(45);
    storm.prove(&runtime, &url);
}
