//! `tenure plan`: what would move if members came, went or weighed otherwise, before anything does.

mod change;
mod outcome;

use change::{Newcomer, Weighed, candidates};
use outcome::Outcome;
use tenure::cluster::Survey;
use tenure::{Cluster, MemberId, Placement};

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
    #[arg(long, value_name = "ID[:WEIGHT[:ZONE]]")]
    add: Vec<Newcomer>,
    /// A member that would go
    #[arg(long, value_name = "ID")]
    remove: Vec<MemberId>,
    /// A member that would weigh otherwise
    #[arg(long, value_name = "ID=WEIGHT")]
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
            let outcome = self.outcome(&cluster, &survey)?;
            talk::data(&if self.json { outcome.json() } else { outcome.text(Paint::for_data()) })?;
            Ok(Exit::Done)
        })
    }

    fn outcome(&self, cluster: &Cluster, survey: &Survey) -> Result<Outcome, Failure> {
        let meta = cluster.meta();
        let placement = Placement::parse(&meta.placement).ok_or_else(|| {
            let message =
                format!("the placement {:?} is not known to this build; upgrade it", meta.placement);
            Failure::new(Exit::Cluster, message)
        })?;
        let candidates = candidates(survey, &self.add, &self.remove, &self.weight)?;
        Ok(Outcome::of(survey, placement, &candidates, meta.spread_zones))
    }
}
