//! Everything that a developer runs: `cargo xtask <verb>`.
//!
//! `test` reads only and says what it did not do; only `fix`, `api` and `picture` write into the tree.

mod cargo;
mod cli;
mod test;
mod verb;

use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Verb};
use verb::{bench, fuzz, picture, servers, sim};

fn main() -> ExitCode {
    let done = match Cli::parse().verb {
        Verb::Test(choice) => test::run(&choice),
        Verb::Fix => fix().map(|()| ExitCode::SUCCESS),
        Verb::Api => test::api::write().map(|()| ExitCode::SUCCESS),
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

/// Mends what tools can mend: layout first, then lints, then the layout of the mended lines.
fn fix() -> Result<(), String> {
    cargo::run_cargo(&["fmt", "--all"])?;
    cargo::run_cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--fix",
        "--allow-dirty",
        "--allow-staged",
    ])?;
    cargo::run_cargo(&["fmt", "--all"])
}
