//! The PostgreSQL store, on real servers.

mod address;
mod dump;
mod faults;
#[path = "../fleet/mod.rs"]
mod fleet;
#[path = "../heard/mod.rs"]
mod heard;
mod hints;
mod journals;
mod liar;
mod opening;
mod pooled;
mod proxied;
mod recovered;
mod refusals;
mod replication;
#[path = "../restored/mod.rs"]
mod restored;
mod scribe_storm;
#[path = "../scribes/mod.rs"]
mod scribes;
mod secrets;
mod standby;
mod storm;
mod stranger;
mod suite;
mod tls;
