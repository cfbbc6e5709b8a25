//! `tenure store …`: commands about a store, whatever clusters it keeps.

mod check;
mod found;
mod mend;
mod race;
mod records;
mod trial;

use clap::Subcommand;

use crate::exit::{Exit, Failure};

/// Commands about a store
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure store check --store sqlite:tenure.db
  tenure store mend --dry-run")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
    Mend(mend::Args),
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self.command {
            Command::Check(args) => args.run(),
            Command::Mend(args) => args.run(),
        }
    }
}
