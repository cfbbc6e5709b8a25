//! Real processes on a cluster of three nodes, and fifty blows to members, links and leaders; and somebody who may only read.

use std::time::Duration;

use tenure_testbed::etcd::{Cluster, Login, Options};
use tokio::runtime::{Handle, Runtime};

use crate::fleet::processes::folder;
use crate::fleet::{Blow, Fleet, Intruder, Links, Spec, Storm, child};

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

/// A cluster that asks who is there: members may do anything, and whoever looks on may read.
async fn guarded() -> Cluster {
    let login = Login { user: "root".into(), password: "pw".into() };
    let cluster = Cluster::start_with(Options { auth: Some(login), ..Options::default() }).await;
    cluster.etcdctl(&["user", "add", "onlooker", "--new-user-password=pw"]).await;
    cluster.etcdctl(&["role", "add", "reader"]).await;
    cluster.etcdctl(&["role", "grant-permission", "reader", "--prefix=true", "read", "fleet/"]).await;
    cluster.etcdctl(&["user", "grant-role", "onlooker", "reader"]).await;
    cluster
}

fn as_user(address: &str, user: &str) -> String {
    address.replacen("etcd://", &format!("etcd://{user}:pw@"), 1)
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let (folder, runtime) = (folder(), Runtime::new().unwrap());
    let cluster = runtime.block_on(guarded());
    let servers: Vec<_> = cluster.endpoints().iter().map(|address| address.parse().unwrap()).collect();
    let links = Links::new(&runtime, 3, &servers);
    let address = |member| as_user(&links.seen_by(member, &cluster.url("fleet")), "root");
    let fleet = Fleet::of_three(folder.path(), Duration::from_secs(3), address);
    let intruder = Intruder::at(runtime.handle(), as_user(&cluster.url("fleet"), "onlooker"));
    let (leader, deeds) =
        (Leader { runtime: runtime.handle().clone(), cluster, killed: 0 }, intruder.tally());
    let mut storm = links.threaten(Storm::new(fleet)).with("the leader is killed", 0.3..1.0, leader).with(
        "an onlooker forges records",
        0.5..2.0,
        intruder,
    );
    storm.rage(50);
    storm.prove();
    deeds.prove();
}
