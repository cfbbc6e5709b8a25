//! The Kubernetes store as its users meet it, on a real API server.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

#[path = "../fleet/mod.rs"]
mod fleet;
#[path = "../heard/mod.rs"]
mod heard;
mod hints;
mod manifests;
mod outage;
mod proof;
mod proxied;
mod recovered;
mod refusals;
#[path = "../restored/mod.rs"]
mod restored;
mod rights;
mod secrets;
mod shown;
mod storm;
mod suite;
mod testbed;
