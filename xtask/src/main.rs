//! Everything that a developer runs: `cargo xtask <verb>`.
//!
//! `test` reads only and says what it did not do; only `fix` and `picture` write into the tree.

mod bench;
mod browser;
mod cargo;
mod cli;
mod deny;
mod examples;
mod fix;
mod fuzz;
mod guide;
mod kafka;
mod picture;
mod selection;
mod servers;
mod sim;
mod step;
mod storms;
mod targets;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Verb};

fn main() -> ExitCode {
    let done = match Cli::parse().verb {
        Verb::Test(choice) => test::run(&choice),
        Verb::Fix => fix::run().map(|()| ExitCode::SUCCESS),
        Verb::Sim(order) => sim::run(&order).map(|()| ExitCode::SUCCESS),
        Verb::Mutants(order) => sim::mutants(&order).map(|()| ExitCode::SUCCESS),
        Verb::Fuzz(order) => fuzz::run(&order).map(|()| ExitCode::SUCCESS),
        Verb::Bench(choice) => bench::run(&choice).map(|()| ExitCode::SUCCESS),
        Verb::Servers(order) => servers::run(&order).map(|()| ExitCode::SUCCESS),
        Verb::Picture => picture::run().map(|()| ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|problem| {
        eprintln!("xtask: {problem}");
        ExitCode::FAILURE
    })
}
