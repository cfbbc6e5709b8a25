//! `tenure plan`: what would move if members came, went or weighed otherwise, before anything does.

mod change;
mod outcome;

use tenure::MemberId;
use tenure::cluster::{Cluster, Doubt, Newcomer, Weighed, WhatIf};

use super::looking::Looking;
use crate::exit::{Exit, Failure};

/// Show what would move if members came, went or weighed otherwise
///
/// Computes the plan that the members themselves would follow. Nothing is changed. Without options: what would move now.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure plan
  tenure plan --add dan:2:eu-1
  tenure plan --remove ada --weight ben=3 --json")]
pub(crate) struct Args {
    /// A member that would come, with its weight and zone if they matter
    #[arg(long, value_name = "ID[:WEIGHT[:ZONE]]", value_parser = change::newcomer)]
    add: Vec<Newcomer>,
    /// A member that would go
    #[arg(long, value_name = "ID")]
    remove: Vec<MemberId>,
    /// A member that would weigh otherwise
    #[arg(long, value_name = "ID=WEIGHT", value_parser = change::weighed)]
    weight: Vec<Weighed>,
    #[command(flatten)]
    looking: Looking,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let question = WhatIf { add: self.add, remove: self.remove, weigh: self.weight };
        self.looking.show(async |cluster: &mut Cluster| {
            let survey = cluster.look().await?.survey;
            question.outcome(cluster.meta(), &survey).map_err(doubted)
        })
    }
}

fn doubted(doubt: Doubt) -> Failure {
    let exit = if matches!(doubt, Doubt::Placement(_)) { Exit::Cluster } else { Exit::Refused };
    Failure::new(exit, doubt.to_string())
}
