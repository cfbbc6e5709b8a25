//! PostgreSQL 15: one server on the loopback, with a database `tenure`.
//!
//! It keeps its port and its data over a kill and a restart. It runs as the user `postgres` where we are root, since it refuses to
//! be root. Whatever cluster the system's package set up is left alone.

mod options;
mod pool;
mod server;

pub use options::Options;
pub use pool::Pool;
pub use server::Server;
pub(crate) use server::answers;
