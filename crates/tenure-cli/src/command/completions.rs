//! `tenure completions SHELL`: from the same definitions as the help.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::exit::{Exit, Failure};
use crate::program::Program;
use crate::talk;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure completions bash > /etc/bash_completion.d/tenure
  tenure completions zsh > _tenure")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Program::command(), "tenure", &mut script);
        talk::data(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}
