//! The etcd store as its users meet it, on real clusters: the store suite, refusals, bad networks, endpoints that fail.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod encrypted;
mod failover;
#[path = "../fleet/mod.rs"]
mod fleet;
mod full;
#[path = "../heard/mod.rs"]
mod heard;
mod hints;
mod patient;
mod proxied;
mod recovered;
mod refusals;
#[path = "../restored/mod.rs"]
mod restored;
mod runtimes;
mod secrets;
mod shared;
mod storm;
mod suite;
mod tokens;
