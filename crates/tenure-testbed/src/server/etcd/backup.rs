//! Snapshots of a cluster, as its operators take and restore them.

use std::path::Path;
use std::process::Command;

use super::Cluster;
use crate::error::{Doing, Error};
use crate::install::etcd::Programs;
use crate::process::run_in_background;

/// So much further counts a restored cluster: no revision is given a second time.
const BUMP: &str = "--bump-revision=1000000000";

impl Cluster {
    /// Saves a snapshot into `file`.
    ///
    /// # Panics
    ///
    /// When etcd refuses.
    pub async fn snapshot(&self, file: &Path) {
        let (endpoint, file) = (&self.endpoints()[0], file.display().to_string());
        let saved = self.control.run(endpoint, &["snapshot", "save", &file]).await;
        saved.map(drop).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Ends all nodes, and starts them again with what the snapshot in `file` holds.
    ///
    /// # Panics
    ///
    /// When it can't be restored.
    pub async fn restore(&mut self, file: &Path) {
        self.put_back(file).await.unwrap_or_else(|error| panic!("{error}"));
    }

    async fn put_back(&mut self, file: &Path) -> Result<(), Error> {
        let etcdutl = Programs::find()?.etcdutl;
        let members = self.nodes.iter().map(|node| node.member()).collect::<Vec<_>>().join(",");
        for node in &mut self.nodes {
            node.process.kill();
            let data = self.home.path().join(format!("{}.data", node.name));
            std::fs::remove_dir_all(&data).doing(|| format!("delete {}", data.display()))?;
            let mut command = Command::new(&etcdutl);
            command.args(["snapshot", "restore"]).arg(file).arg(BUMP).arg("--mark-compacted");
            command.arg(format!("--data-dir={}", data.display())).arg(format!("--name={}", node.name));
            command.arg(format!("--initial-cluster={members}"));
            command.arg(format!("--initial-cluster-token={}-restored", self.home.path().display()));
            command.arg(format!("--initial-advertise-peer-urls=http://{}", node.peer.address()));
            run_in_background(command).await?;
        }
        for node in &mut self.nodes {
            node.process.restart()?;
        }
        for node in &mut self.nodes {
            node.answered(&self.control).await?;
        }
        Ok(())
    }
}
