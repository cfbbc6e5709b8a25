//! An object store that speaks S3: moto, with a lock around each request so that conditions are kept.
//!
//! It takes any credentials, unless a test asks for one that is guarded. One that a test has to itself keeps a journal, so that its
//! objects survive a kill. The server that all tests share can be Ceph's object gateway instead.

mod bucket;
mod ceph;
mod ceph_conf;
mod moto;

pub(crate) use ceph::Ceph;
pub use moto::Server;
pub(crate) use moto::answers;

/// Who we are to the server.
const KEY: &str = "tenure";
/// A word that occurs nowhere else, so that a test can look for it where no secret may be.
const SECRET: &str = "c0rrecth0rse";
