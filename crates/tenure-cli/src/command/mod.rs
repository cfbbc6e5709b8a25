//! The commands, one file each: what can be typed, and what it does.

mod access;
mod acts;
mod audit;
mod completions;
mod confirm;
mod dashboard;
mod deed;
mod drain;
mod fence;
mod history;
mod journal;
mod man;
mod move_shard;
mod options;
mod owner;
mod plan;
mod run;
mod status;
mod store;
mod time;
mod up;
mod wait;
mod wait_options;
mod watch;

use clap::Subcommand;

pub(crate) use options::ClusterOptions;
pub(crate) use up::MemberProcess;

use crate::exit::{Exit, Failure};

/// What the program can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Up(up::Args),
    Run(run::Args),
    Status(status::Args),
    Watch(watch::Args),
    Owner(owner::Args),
    Wait(wait::Args),
    Dashboard(dashboard::Args),
    History(history::Args),
    Acts(acts::Args),
    Audit(audit::Args),
    Drain(drain::Args),
    Move(move_shard::Args),
    Fence(fence::Args),
    Plan(plan::Args),
    Store(store::Args),
    Journal(journal::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Completions(args) => args.run(),
            Self::Man(args) => args.run(),
            Self::Run(args) => args.run(),
            Self::Status(args) => args.run(),
            Self::Watch(args) => args.run(),
            Self::Owner(args) => args.run(),
            Self::Wait(args) => args.run(),
            Self::Dashboard(args) => args.run(),
            Self::History(args) => args.run(),
            Self::Acts(args) => args.run(),
            Self::Audit(args) => args.run(),
            Self::Drain(args) => args.run(),
            Self::Move(args) => args.run(),
            Self::Plan(args) => args.run(),
            Self::Fence(args) => args.run(),
            Self::Store(args) => args.run(),
            Self::Journal(args) => args.run(),
            Self::Up(args) => args.run(),
        }
    }
}
