//! Members on the in-process store, in real time: what a user of the library sees.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod addresses;
mod bad_input;
mod broken;
mod cluster;
mod examples;
mod fleet;
mod handover;
mod journal;
mod lapse;
mod logs;
mod recovery;
mod sharing;
mod stream;
mod stuck;
mod work;
