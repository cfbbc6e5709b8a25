//! etcd: three nodes on the loopback, of which any can be killed, frozen or restarted.
//!
//! The nodes keep their ports and their data over a restart. Nothing is forced to the disk unless asked: that matters only when
//! the machine dies, and no test does that.

mod backup;
mod cluster;
mod control;
mod node;
mod options;
mod single;

pub(crate) use cluster::answers;
pub use cluster::{Cluster, programs};
pub use options::{Login, Options};
pub(crate) use single::Single;
