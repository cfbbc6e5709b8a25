//! `tenure run [options] -- COMMAND…`: one run of the command for every shard that this member owns.
//!
//! The member is this process; its children belong to the [supervisor](crate::supervisor). Linux only.

mod args;
mod environment;
mod lease_relay;
mod lines;
mod listen;
mod output;
mod preflight;
mod restart;
mod runner;
mod session;

pub(crate) use args::Args;
