//! Kubernetes: its API server, with an etcd of its own and nothing else: no controllers, no nodes.
//!
//! So nothing deletes a namespace's contents or makes tokens of service accounts. Two users are known by their tokens: `admin` may
//! do anything, and `alice` nothing, until a test gives her a role.

mod access;
mod server;

pub use server::Server;
pub(crate) use server::answers;
