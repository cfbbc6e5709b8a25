//! Serves a router to the world: on loopback, or with TLS; few connections at once; no patience with those who say nothing.

mod address;
mod budget;
mod connections;
mod held;
mod limits;
mod patient;
mod peer;
mod room;
mod tls;
mod turn;
mod visit;

pub use address::{AddressRefused, allowed};
pub use connections::{converse, serve};
pub use limits::Limits;
pub use peer::Peer;
pub use tls::{Tls, TlsError};
