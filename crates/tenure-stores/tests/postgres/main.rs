//! The PostgreSQL store, on real servers.

mod address;
mod faults;
#[path = "../fleet/mod.rs"]
mod fleet;
#[path = "../heard/mod.rs"]
mod heard;
mod hints;
mod opening;
mod proxied;
mod refusals;
mod secrets;
mod standby;
mod storm;
mod suite;
mod tls;
