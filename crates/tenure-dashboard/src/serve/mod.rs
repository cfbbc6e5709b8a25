//! Serves a router to the world: on loopback, or with TLS; few connections at once; no patience with those who say nothing.

mod address;
mod budget;
mod connection;
mod limits;
mod server;
mod slots;
mod tls;
mod turns;
mod write_timeout;

pub use address::{AddressRefused, allowed};
pub use connection::Peer;
pub use limits::Limits;
pub use server::{converse, serve};
pub use tls::{Tls, TlsError};
