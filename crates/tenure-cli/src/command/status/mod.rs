//! `tenure status`: who is there, who owns what, and why what is not owned is not.

mod document;
#[cfg(test)]
mod fuzz_tests;
mod holdings;
mod picture;

use document::Document;
use picture::Picture;
use tenure::Cluster;
use tenure::cluster::Survey;

use crate::command::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{runtime, talk};

/// Show members, shards, and why unowned shards are unowned
///
/// Looks once, without joining. Times since renewals are by the wall clocks of the members, as they wrote them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show members that have ended, too
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// Show each shard, with since when and why its owner owns it
    #[arg(long, conflicts_with = "json")]
    holdings: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.cluster.find().await?;
            let mut survey = cluster.look().await?.survey;
            survey.problems.extend(cluster.strays().await?);
            let text = self.text(&cluster, &survey);
            talk::data(&text)?;
            Ok(Exit::Done)
        })
    }

    fn text(&self, cluster: &Cluster, survey: &Survey) -> String {
        let paint = Paint::for_data();
        match (self.json, self.holdings) {
            (true, _) => Document::of(&self.cluster.cluster, survey).text(),
            (_, true) => holdings::table(survey, cluster.wall_ms()).draw(paint),
            (false, false) => {
                let place = (&self.cluster, cluster.meta());
                Picture { place, survey, all: self.all, paint }.draw()
            }
        }
    }
}
