//! Real processes on a PostgreSQL server, and fifty blows to members, links and the server; and strangers who may only connect.

use std::time::Duration;

use tenure_testbed::postgres::Server;
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
    let (folder, runtime) = (folder(), Runtime::new().unwrap());
    let server = runtime.block_on(Server::start());
    let links = Links::new(&runtime, 3, &[([127, 0, 0, 1], server.port()).into()]);
    let address = |member| links.seen_by(member, &server.url());
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(3), address);
    let [liar, flooder] = Liar::both(&runtime, &server);
    let (lies, floods) = (liar.told(), flooder.told());
    let mut storm = links
        .threaten(Storm::new(fleet))
        .with("the server is killed", 0.3..1.0, Target::new(server).killed(runtime.handle()))
        .with("a stranger forges all that members tell each other", 1.0..3.0, liar)
        .with("a stranger floods the channel of hints", 0.5..2.0, flooder);
    storm.rage(50);
    storm.prove();
    println!("{} lies and {} floods were told", lies.times(), floods.times());
    assert!(lies.times() > 0 && floods.times() > 0, "nobody lied, or nobody flooded");
}
