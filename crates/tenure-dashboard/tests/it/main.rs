//! The dashboard from outside: real HTTP on loopback, a real SQLite file, real members.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod acting;
mod asking;
mod away;
mod broken;
mod client;
mod crowd;
mod deploy;
mod looking;
mod mounted;
mod people;
mod refusals;
mod streaming;
mod testbed;
mod tls;
mod truth;
