//! Real processes on a PostgreSQL server, and fifty blows to members, links and the server.

use std::time::Duration;

use tenure_bed::postgres::Server;
use tokio::runtime::Runtime;

use crate::fleet::processes::folder;
use crate::fleet::{Fleet, Links, Spec, Storm, Target, child};
use crate::liar::Liar;

/// Not a test by itself: this binary, started again as a member.
#[test]
fn member_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::start());
    rage(&runtime, server);
}

#[test]
fn the_same_holds_while_a_stranger_forges_all_that_members_tell_each_other() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::start());
    let liar = Liar::on(&runtime, &server);
    rage(&runtime, server);
    assert!(liar.lies() > 1_000, "only {} lies were told", liar.lies());
}

fn rage(runtime: &Runtime, server: Server) {
    let folder = folder();
    let links = Links::new(runtime, 3, &[([127, 0, 0, 1], server.port()).into()]);
    let address = |member| links.seen_by(member, &server.url());
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(3), address);
    let killed = Target::new(server).killed(runtime.handle());
    let mut storm = links.threaten(Storm::new(fleet)).with("the server is killed", 0.3..1.0, killed);
    storm.rage(50);
    storm.prove();
}
