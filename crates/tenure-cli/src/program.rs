//! What is typed: the program's own options and its commands.

use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::command::{Command, MemberProcess};
use crate::config;
use crate::exit::{Exit, Failure};
use crate::talk;

/// Exclusive ownership of shards: at most one live owner each, always; exactly one, soon.
#[derive(Debug, Parser)]
#[command(name = "tenure", version, after_help = after_help(), disable_help_subcommand = true)]
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

fn after_help() -> String {
    const EXAMPLES: &str = "\
Examples:
  tenure up
  tenure run --shards 16 -- ./worker
  tenure status";
    format!("{EXAMPLES}\n\n{}", Exit::TABLE)
}

/// Runs what the command line asks for. A mistake in it ends the process here, with its explanation.
pub(crate) fn run() -> Result<Exit, Failure> {
    if let Some(member_process) = MemberProcess::called() {
        let _talk = member_process.talk.begin()?;
        return member_process.args.run();
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command, with the words that lead to it.
    fn commands(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
        let below = command
            .get_subcommands()
            .flat_map(|below| commands(below, &format!("{path} {}", below.get_name())));
        std::iter::once((path.to_owned(), command.clone())).chain(below).collect()
    }

    fn examples(command: &clap::Command) -> Vec<String> {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
    }

    /// The words of the first command of a line, as a shell would divide it.
    fn words(line: &str) -> Vec<String> {
        let command = line.split(['|', '>']).next().unwrap();
        shlex::split(command).unwrap()
    }

    #[test]
    fn the_help_of_every_command_has_examples_which_it_accepts() {
        let mut program = Program::command();
        program.build();
        for (path, command) in commands(&program, "tenure") {
            let examples = examples(&command);
            assert!(!examples.is_empty(), "{path} has no examples");
            for example in examples {
                assert!(example.starts_with(&path), "{example} is none of {path}");
                let parsed = Program::command().try_get_matches_from(words(&example));
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn no_command_is_hidden_so_that_completions_offer_nothing_that_help_does_not() {
        let mut program = Program::command();
        program.build();
        assert!(commands(&program, "tenure").iter().all(|(_, command)| !command.is_hide_set()));
    }
}
