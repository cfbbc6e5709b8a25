//! `tenure man [COMMAND]`: from the same definitions as the help.

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::exit::{Exit, Failure};
use crate::program::Program;
use crate::talk;

/// Print the manual page, of the program or of one command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure man | man -l -
  tenure man drain > tenure-drain.1")]
pub(crate) struct Args {
    /// The command; without one, the program
    command: Option<String>,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut page = Vec::new();
        Man::new(subject(self.command.as_deref())?).render(&mut page).map_err(Failure::output)?;
        talk::data(&String::from_utf8_lossy(&page))?;
        Ok(Exit::Done)
    }
}

fn subject(name: Option<&str>) -> Result<Command, Failure> {
    let mut program = Program::command();
    program.build();
    let Some(name) = name else { return Ok(program) };
    let found = program.get_subcommands().find(|command| command.get_name() == name);
    let command = found.cloned().ok_or_else(|| no_such_command(&program, name))?;
    Ok(command.name(format!("tenure-{name}")))
}

fn no_such_command(program: &Command, name: &str) -> Failure {
    let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    Failure::new(Exit::Usage, format!("there is no command {name:?}; say one of {}", names.join(", ")))
}
