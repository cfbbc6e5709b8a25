//! Real processes that write to shared journals, and what must be true of the journals afterwards.
//!
//! Eight processes take journals from each other all the time: each draws a journal, takes its next epoch, opens it and appends numbered
//! records, several at once, until another does the same. Some start their work twice within one epoch, some let a snapshot stand for what
//! is there. Meanwhile they are killed and frozen, and whatever else a test can hurt. What was acknowledged to them they write down
//! ([`page`]); afterwards a reader that knows nothing of them judges the journals by that ([`judge`]).
//!
//! A test binary starts itself again as a scribe, as it does for members (see `fleet`).

#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]

pub mod child;
pub mod judge;
pub mod page;
pub mod storm;

pub use child::Spec;
pub use storm::ScribeStorm;
