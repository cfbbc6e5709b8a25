//! The PostgreSQL store, on real servers.

mod address;
mod faults;
#[path = "../fleet/mod.rs"]
mod fleet;
mod hints;
mod opening;
mod proxied;
mod refusals;
mod standby;
mod storm;
mod suite;
mod tls;
