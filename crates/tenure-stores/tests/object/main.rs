//! The object store as its users meet it: the store suite, graves, requests and their number, refusals, bad networks.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod address;
mod doubt;
#[path = "../fleet/mod.rs"]
mod fleet;
mod graves;
#[path = "../heard/mod.rs"]
mod heard;
mod journals;
mod probing;
mod providers;
mod proxied;
mod recovered;
mod refusals;
mod requests;
#[path = "../restored/mod.rs"]
mod restored;
mod rights;
mod scribe_storm;
#[path = "../scribes/mod.rs"]
mod scribes;
mod scripted;
mod secrets;
mod storm;
mod suite;
mod toy;
