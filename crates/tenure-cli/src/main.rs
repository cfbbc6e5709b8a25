//! The program `tenure`: runs anything with one owner per shard, and shows and steers a cluster.
//!
//! One file per command in [`command`]; [`config`] joins flags, environment and file; [`exit`] says what each exit code
//! means. Standard output is data, standard error is talk.

mod command;
mod config;
mod exit;
mod format;
mod history;
mod paint;
mod program;
mod runtime;
mod signals;
mod supervisor;
mod talk;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(ended) = supervisor::called() {
        return ended;
    }
    match program::run() {
        Ok(exit) => exit.into(),
        Err(failure) => failure.tell(),
    }
}
