//! `tenure journal …`: commands about the logs of shards, whoever writes them.

mod adopt;
mod check;
mod export;
mod options;
mod stat;

use clap::Subcommand;

use crate::exit::{Exit, Failure};

/// Commands about the journals of shards
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure journal stat --journal sqlite:journal.db
  tenure journal check --journal s3://bucket/journals
  tenure journal export carts --shard 3 --journal file:journals")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Stat(stat::Args),
    Check(check::Args),
    Export(export::Args),
    Adopt(adopt::Args),
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self.command {
            Command::Stat(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Adopt(args) => args.run(),
        }
    }
}
