//! An object store that speaks S3: moto, with a lock around each request so that conditions are kept.
//!
//! It takes any credentials and keeps its objects in memory: they survive a freeze, not a kill.

mod server;

pub use server::Server;
pub(crate) use server::answers;
