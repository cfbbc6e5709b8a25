//! Real processes on an API server, and fifty blows to members, links and the server; and somebody who may only read.
//!
//! The server is frozen, and killed: what it acknowledged is in its etcd, which lives on. It takes seconds to start again, so
//! every restart is an outage for longer than a lease.

use std::path::Path;
use std::time::Duration;

use tenure_testbed::kubernetes::Server;
use tokio::runtime::Runtime;

use crate::fleet::processes::folder;
use crate::fleet::{Fleet, Intruder, Links, Spec, Storm, Target, child};
use crate::rights::RBAC;

/// Not a test by itself: this binary, started again as a member.
#[test]
fn member_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

/// The address of the store for one member, by a kubeconfig that leads through its link.
fn address(server: &Server, links: &Links, member: usize, folder: &Path) -> String {
    let kubeconfig = folder.join(format!("{member}.kubeconfig"));
    let text = std::fs::read_to_string(server.kubeconfig()).unwrap();
    std::fs::write(&kubeconfig, links.seen_by(member, &text)).unwrap();
    format!("k8s://default/fleet?kubeconfig={}", kubeconfig.display())
}

/// Lets alice read, and answers the address by which she does.
async fn onlooker(server: &Server) -> String {
    server.kubectl(&["apply", "-f", RBAC]).await;
    let role = ["create", "rolebinding", "alice", "--role=tenure-onlooker", "--user=alice"];
    server.kubectl(&role).await;
    format!("k8s://default/fleet?kubeconfig={}", server.kubeconfig_of_alice().display())
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let (folder, runtime) = (folder(), Runtime::new().unwrap());
    let server = runtime.block_on(Server::start());
    let links = Links::new(&runtime, 3, &[server.address().parse().unwrap()]);
    let address = |member| address(&server, &links, member, folder.path());
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(3), address);
    let intruder = Intruder::at(runtime.handle(), runtime.block_on(onlooker(&server)));
    let (server, deeds) = (Target::new(server), intruder.tally());
    let mut storm = links
        .threaten(Storm::new(fleet))
        .with("the server is frozen", 0.2..1.5, server.frozen())
        .with("the server is killed", 0.1..0.5, server.killed(runtime.handle()))
        .with("an onlooker forges records", 0.5..2.0, intruder);
    storm.rage(50);
    storm.prove();
    deeds.prove();
}
