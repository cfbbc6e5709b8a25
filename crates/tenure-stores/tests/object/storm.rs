//! Real processes on object storage, and fifty blows to members, links and the server; and somebody who may only read.

use std::time::Duration;

use tenure_testbed::proxy::Mode;
use tenure_testbed::s3::Server;
use tokio::runtime::Runtime;

use crate::fleet::processes::folder;
use crate::fleet::{Fleet, Intruder, Links, Spec, Storm, Target, child};
use crate::rights::{BUCKET, PREFIX, policy};

/// Not a test by itself: this binary, started again as a member.
#[test]
fn member_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let (folder, runtime) = (folder(), Runtime::new().unwrap());
    let server = runtime.block_on(Server::guarded(BUCKET, &policy()));
    let endpoint = server.endpoint();
    let links = Links::new(&runtime, 3, &[endpoint.trim_start_matches("http://").parse().unwrap()]);
    let address = |member| links.seen_by(member, &server.url(BUCKET, PREFIX));
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(3), address);
    let intruder = Intruder::at(runtime.handle(), server.url_of_onlooker(BUCKET, PREFIX));
    let (server, deeds) = (Target::new(server), intruder.tally());
    let mut storm = links
        .threaten(Storm::new(fleet))
        .with("the server is frozen", 0.2..1.5, server.frozen())
        .with("the server is killed", 0.3..1.0, server.killed(runtime.handle()))
        .with("all links are cut", 0.3..1.0, links.of_all(Mode::Cut))
        .with("an onlooker forges records", 0.5..2.0, intruder);
    storm.rage(50);
    storm.prove();
    deeds.prove();
}
