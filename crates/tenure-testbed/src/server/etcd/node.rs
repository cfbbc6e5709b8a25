//! One node of etcd.

use std::path::Path;

use super::control::Control;
use crate::error::Error;
use crate::port::Port;
use crate::process::{Order, Process};
use crate::ready;

/// A node, its ports, and whether a test froze it.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) process: Process,
    pub(crate) client: Port,
    pub(super) frozen: bool,
    pub(super) name: String,
    pub(super) peer: Port,
}

/// The ports of a node that is not started yet.
#[derive(Debug)]
pub(crate) struct Berth {
    name: String,
    client: Port,
    peer: Port,
}

impl Berth {
    pub(crate) fn new(index: usize) -> Result<Self, Error> {
        let [client, peer] = Port::several()?;
        Ok(Self { name: format!("n{index}"), client, peer })
    }

    /// How the others know it.
    pub(crate) fn member(&self) -> String {
        format!("{}=http://{}", self.name, self.peer.address())
    }

    /// What any node is told; `scheme` is what its clients speak.
    pub(crate) fn arguments(&self, scheme: &str, members: &str, token: &Path) -> Vec<String> {
        let (client, peer) = (self.client.address(), self.peer.address());
        vec![
            format!("--name={}", self.name),
            format!("--data-dir={}.data", self.name),
            format!("--listen-client-urls={scheme}://{client}"),
            format!("--advertise-client-urls={scheme}://{client}"),
            format!("--listen-peer-urls=http://{peer}"),
            format!("--initial-advertise-peer-urls=http://{peer}"),
            format!("--initial-cluster={members}"),
            format!("--initial-cluster-token={}", token.display()),
        ]
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn start(self, order: Order) -> Result<Node, Error> {
        let process = Process::start(order)?;
        Ok(Node { process, client: self.client, frozen: false, name: self.name, peer: self.peer })
    }
}

impl Node {
    /// Waits until it takes part in a cluster that can write.
    pub(crate) async fn answered(&mut self, control: &Control) -> Result<(), Error> {
        let address = self.client.address();
        ready::ask(&mut self.process, async || {
            let asked = control.run(&address, &["endpoint", "health"]).await;
            asked.map(drop).map_err(|error| error.to_string())
        })
        .await
    }

    /// How the others know it.
    pub(super) fn member(&self) -> String {
        format!("{}=http://{}", self.name, self.peer.address())
    }

    pub(super) fn serves(&mut self) -> bool {
        !self.frozen && self.process.is_running()
    }
}
