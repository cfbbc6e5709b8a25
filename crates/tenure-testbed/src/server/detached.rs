//! Servers that outlive us: the same ones, started to be shared, and what remains known of them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{etcd, kubernetes, postgres, s3};
use crate::error::Error;
use crate::process::{Identity, Life};
use crate::{Kind, S3Program};

/// A detached server: how to reach it, and how to end it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Left {
    pub(crate) version: String,
    pub(crate) address: String,
    /// What a store is opened by.
    pub(crate) url: String,
    /// Data and logs.
    pub(crate) folder: PathBuf,
    /// All processes, the one that others need last.
    pub(crate) processes: Vec<Identity>,
    /// Which program it is, where there is a choice.
    #[serde(default)]
    pub(crate) s3: Option<S3Program>,
}

/// Starts a server that goes on when we end. Unlike that of one test alone it writes to the disk, as in earnest: benches use it.
pub(crate) async fn leave(kind: Kind, s3: S3Program) -> Result<Left, Error> {
    match kind {
        Kind::Etcd => {
            let options = etcd::Options { fsync: true, ..Default::default() };
            etcd::Cluster::open(options, Life::Detached).await?.let_go()
        }
        Kind::Postgres => {
            let options = postgres::Options { fsync: true, ..Default::default() };
            postgres::Server::open(options, Life::Detached).await?.let_go()
        }
        Kind::S3 => match s3 {
            S3Program::Moto => s3::Server::open(Life::Detached).await?.let_go().await,
            S3Program::Ceph => s3::Ceph::open(Life::Detached).await?.let_go().await,
        },
        Kind::Kubernetes => kubernetes::Server::open(Life::Detached).await?.let_go(),
    }
}

/// Whether a detached server answers.
pub(crate) async fn answers(kind: Kind, left: &Left) -> bool {
    match kind {
        Kind::Etcd => etcd::answers(&left.address).await,
        Kind::Postgres => postgres::answers(&left.url).await,
        Kind::S3 => s3::answers(&left.address).await,
        Kind::Kubernetes => kubernetes::answers(&left.folder).await,
    }
}
