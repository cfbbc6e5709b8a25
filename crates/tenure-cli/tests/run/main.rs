//! `tenure run` from outside: real processes on one SQLite file, children that write when they live.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod access;
mod beat;
#[path = "../../../tenure-stores/tests/fleet/beats.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of the store")]
mod beats;
mod commands;
mod failing;
mod faults;
mod figures;
#[allow(dead_code, reason = "the bench uses another part of it")]
mod fleet;
mod hangup;
mod listening;
mod routing;
mod storm;
