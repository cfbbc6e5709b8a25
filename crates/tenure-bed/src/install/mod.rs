//! Gets servers onto this machine: fetched or built once, kept under `target/servers`, whole or not there at all.
//!
//! Each file knows one server: where it comes from, and how to find it once it is there. Nothing here needs to be root as long as
//! the machine has what it builds with; what it lacks is installed by apt, which does.

mod apt;
pub(crate) mod etcd;
pub(crate) mod kubernetes;
pub(crate) mod moto;
mod once;
mod path;
pub(crate) mod postgres;
mod progress;
mod python;
mod typos;

use crate::Kind;
use crate::error::Error;
use progress::Progress;
pub use typos::typos;

/// Installs a server, unless it is installed; says what it does.
pub(crate) fn install(kind: Kind) -> Result<(), Error> {
    let progress = Progress::of(kind.name());
    match kind {
        Kind::Etcd => etcd::install(&progress),
        Kind::Postgres => postgres::install(&progress),
        Kind::S3 => moto::install(&progress),
        Kind::Kubernetes => kubernetes::install(&progress),
    }
}
