//! Real processes on a cluster of three nodes, and fifty blows to members, links and leaders.

use std::time::Duration;

use tenure_bed::etcd::Cluster;
use tokio::runtime::{Handle, Runtime};

use crate::fleet::processes::folder;
use crate::fleet::{Blow, Fleet, Links, Spec, Storm, child};

/// Not a test by itself: this binary, started again as a member.
#[test]
fn member_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

/// The node that leads is killed, and later started again.
struct Leader {
    runtime: Handle,
    cluster: Cluster,
    killed: usize,
}

impl Blow for Leader {
    fn strike(&mut self) {
        self.killed = self.runtime.block_on(self.cluster.leader());
        self.cluster.kill(self.killed);
    }

    fn heal(&mut self) {
        self.runtime.block_on(self.cluster.restart(self.killed));
    }
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let (folder, runtime) = (folder(), Runtime::new().unwrap());
    let cluster = runtime.block_on(Cluster::start());
    let servers: Vec<_> = cluster.endpoints().iter().map(|address| address.parse().unwrap()).collect();
    let links = Links::new(&runtime, 3, &servers);
    let address = |member| links.seen_by(member, &cluster.url("fleet"));
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(3), address);
    let leader = Leader { runtime: runtime.handle().clone(), cluster, killed: 0 };
    let mut storm = links.threaten(Storm::new(fleet)).with("the leader is killed", 0.3..1.0, leader);
    storm.rage(50);
    storm.prove();
}
