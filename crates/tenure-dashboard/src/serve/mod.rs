//! Serves a router to the world: on loopback, or with TLS; few connections at once; no patience with those who say nothing.

mod address;
mod connections;
mod tls;

pub use address::{AddressRefused, allowed};
pub use connections::serve;
pub use tls::{Tls, TlsError};
