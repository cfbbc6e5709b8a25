//! The SQLite store as its users meet it: the store suite, bad files, other processes.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod child;
mod files;
#[path = "../fleet/mod.rs"]
mod fleet;
mod forgetting;
mod hints;
mod journals;
mod locks;
mod looking;
mod opening;
mod processes;
mod recovered;
#[path = "../restored/mod.rs"]
mod restored;
mod scribe_storm;
#[path = "../scribes/mod.rs"]
mod scribes;
mod storm;
mod stranger;
mod strangers;
mod suite;
mod witness;
