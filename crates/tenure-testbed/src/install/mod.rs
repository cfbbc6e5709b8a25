//! Gets servers onto this machine: fetched or built once, kept in a cache that all clones share, whole or not there at all.
//!
//! Each file knows one server: where it comes from, and how to find it once it is there. Nothing here needs to be root as long as
//! the machine has what it builds with; what it lacks is installed by apt, which does.

mod apt;
pub(crate) mod ceph;
pub(crate) mod etcd;
pub(crate) mod kubernetes;
pub(crate) mod moto;
mod once;
mod path;
pub(crate) mod postgres;
mod progress;
mod python;

use crate::error::Error;
use crate::{Kind, S3Program};
pub use once::cached;
use progress::Progress;
pub use python::{python_with, typos};

/// Installs a server, unless it is installed; says what it does.
pub(crate) fn install(kind: Kind, s3: S3Program) -> Result<(), Error> {
    let progress = Progress::of(kind.name());
    match kind {
        Kind::Etcd => etcd::install(&progress),
        Kind::Postgres => postgres::install(&progress),
        Kind::S3 => match s3 {
            S3Program::Moto => moto::install(&progress),
            S3Program::Ceph => ceph::install(&progress),
        },
        Kind::Kubernetes => kubernetes::install(&progress),
    }
}
