//! The PostgreSQL store, on real servers.

mod address;
mod faults;
mod hints;
mod opening;
mod proxied;
mod refusals;
mod standby;
mod suite;
mod tls;
