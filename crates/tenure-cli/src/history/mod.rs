//! Histories: what members did with their shards, as lines of JSON that outlive them.
//!
//! A member that is run with `--history FILE` writes a line when it begins to act for a shard and one when it has ended.
//! `tenure history` shows such files, `tenure audit` holds them against the promise.

mod line;
mod reader;
mod writer;

pub(crate) use line::{Boundary, HistoryLine};
pub(crate) use reader::read;
pub(crate) use writer::Writer;
