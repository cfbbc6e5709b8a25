//! `tenure plan`: what would move if members came, went or weighed otherwise, before anything does.

mod change;
mod outcome;

use tenure::MemberId;
use tenure::cluster::{Doubt, Newcomer, Weighed, WhatIf};

use super::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{runtime, talk};

/// Show what would move if members came, went or weighed otherwise
///
/// Computes the plan that the members themselves would follow. Nothing is changed. Without options: what would move now.
#[derive(Debug, clap::Args)]
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
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.cluster.find().await?;
            let survey = cluster.look().await?.survey;
            let question = WhatIf { add: self.add, remove: self.remove, weigh: self.weight };
            let outcome = question.outcome(cluster.meta(), &survey).map_err(doubted)?;
            let paint = Paint::for_data();
            talk::data(&if self.json { outcome::json(&outcome) } else { outcome::text(&outcome, paint) })?;
            Ok(Exit::Done)
        })
    }
}

fn doubted(doubt: Doubt) -> Failure {
    let exit = if matches!(doubt, Doubt::Placement(_)) { Exit::Cluster } else { Exit::Refused };
    Failure::new(exit, doubt.to_string())
}
