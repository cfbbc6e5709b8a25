//! What is typed: the program's own options and its commands.

use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::command::Command;
use crate::config;
use crate::exit::{Exit, Failure};
use crate::talk;

/// Exclusive ownership of shards: at most one live owner each, always; exactly one, soon.
#[derive(Debug, Parser)]
#[command(name = "tenure", version, after_help = Exit::TABLE, disable_help_subcommand = true)]
pub(crate) struct Program {
    /// Settings in a file: each option that has an environment variable, under its own name. [default: tenure.toml, if
    /// there is one]
    #[arg(long, global = true, value_name = "FILE", env = config::CONFIG_VARIABLE, hide_env_values = true)]
    config: Option<PathBuf>,
    #[command(flatten)]
    talk: talk::Options,
    #[command(subcommand)]
    command: Command,
}

/// Runs what the command line asks for. A mistake in it ends the process here, with its explanation.
pub(crate) fn run() -> Result<Exit, Failure> {
    let program = parse()?;
    let _talk = program.talk.begin()?;
    program.command.run()
}

/// The first reading finds the file, the second takes it for the defaults.
fn parse() -> Result<Program, Failure> {
    let matches = Program::command().get_matches();
    let Some(file) = config::File::find(matches.get_one::<PathBuf>("config"))? else {
        return Ok(understood(&matches));
    };
    Ok(understood(&file.beneath(Program::command())?.get_matches()))
}

fn understood(matches: &clap::ArgMatches) -> Program {
    Program::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}
