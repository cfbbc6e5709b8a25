//! Real processes on object storage, and fifty blows to members, links and the server.

use std::time::Duration;

use tenure_bed::proxy::Mode;
use tenure_bed::s3::Server;
use tokio::runtime::Runtime;

use crate::fleet::processes::folder;
use crate::fleet::{Fleet, Links, Spec, Storm, Target, child};

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
    let server = runtime.block_on(Server::start());
    runtime.block_on(server.make_bucket("fleets"));
    let endpoint = server.endpoint();
    let links = Links::new(&runtime, 3, &[endpoint.trim_start_matches("http://").parse().unwrap()]);
    let address = |member| links.seen_by(member, &server.url("fleets", "fleet"));
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(3), address);
    let server = Target::new(server);
    let mut storm = links
        .threaten(Storm::new(fleet))
        .with("the server is frozen", 0.2..1.5, server.frozen())
        .with("the server is killed", 0.3..1.0, server.killed(runtime.handle()))
        .with("all links are cut", 0.3..1.0, links.of_all(Mode::Cut));
    storm.rage(50);
    storm.prove();
}
