//! The program `tenure-sim`: runs seeds, replays one, hunts mutants.

use std::process::ExitCode;

use clap::Parser;

mod command;

/// Simulates clusters of tenure in virtual time.
#[derive(Debug, Parser)]
#[command(name = "tenure-sim", version)]
struct Program {
    #[command(subcommand)]
    command: command::Command,
}

fn main() -> ExitCode {
    Program::parse().command.run()
}
