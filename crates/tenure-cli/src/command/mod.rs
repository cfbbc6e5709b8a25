//! The commands, one file each: what can be typed, and what it does.

mod completions;
mod man;
mod options;
mod run;
mod store;
mod up;

use clap::Subcommand;

pub(crate) use options::ClusterOptions;

use crate::exit::{Exit, Failure};

/// What the program can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Completions(completions::Args),
    Man(man::Args),
    Run(run::Args),
    Store(store::Args),
    Up(up::Args),
    UpMember(up::MemberArgs),
}

impl Command {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Completions(args) => args.run(),
            Self::Man(args) => args.run(),
            Self::Run(args) => args.run(),
            Self::Store(args) => args.run(),
            Self::Up(args) => args.run(),
            Self::UpMember(args) => args.run(),
        }
    }
}
