//! One node of etcd alone, for whoever needs one beneath.

use std::path::Path;

use super::control::Control;
use super::node::{Berth, Node};
use crate::error::Error;
use crate::install::etcd::Programs;
use crate::process::{Identity, Life, Order};

/// One node, which holds nothing that must outlive the machine.
#[derive(Debug)]
pub(crate) struct Single(Node);

impl Single {
    pub(crate) async fn open(folder: &Path, life: Life) -> Result<Self, Error> {
        let (programs, berth) = (Programs::find()?, Berth::new(0)?);
        let args = berth.arguments("http", &berth.member(), folder);
        let order = Order::new("etcd", life, &programs.etcd, folder).args(args).args(["--unsafe-no-fsync"]);
        let mut node = berth.start(order)?;
        let control = Control { program: programs.etcdctl, certificates: None, login: None };
        node.answered(&control).await?;
        Ok(Self(node))
    }

    pub(crate) fn address(&self) -> String {
        self.0.client.address()
    }

    pub(crate) fn let_go(&mut self) -> Option<Identity> {
        self.0.process.let_go()
    }
}
