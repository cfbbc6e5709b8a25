//! A snapshot of etcd, restored into all three nodes.

use std::path::PathBuf;
use std::time::Duration;

use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::Cluster;

use crate::restored::{Restorable, recovers};

struct Nodes {
    cluster: Cluster,
    folder: tempfile::TempDir,
}

impl Nodes {
    fn file(&self) -> PathBuf {
        self.folder.path().join("snapshot.db")
    }
}

impl Restorable for Nodes {
    type Store = EtcdStore;

    async fn open(&self) -> EtcdStore {
        EtcdStore::open_url(&self.cluster.url("orders")).await.unwrap()
    }

    async fn back_up(&mut self) {
        self.cluster.snapshot(&self.file()).await;
    }

    async fn restore(&mut self) {
        let file = self.file();
        self.cluster.restore(&file).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_was_restored_is_recovered() {
    let nodes = Nodes { cluster: Cluster::start().await, folder: tempfile::tempdir().unwrap() };
    recovers(nodes, Duration::from_secs(3)).await;
}
