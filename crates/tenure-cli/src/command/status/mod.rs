//! `tenure status`: who is there, who owns what, and why what is not owned is not.

mod complaints;
mod document;
#[cfg(test)]
mod fuzz_tests;
mod holdings;
mod picture;

use complaints::Complaints;
use document::Document;
use picture::Picture;
use tenure::cluster::Survey;
use tenure::{Cluster, MemberId, ShardId};

use crate::command::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{runtime, talk};

/// Show members, shards, and why unowned shards are unowned
///
/// Looks once, without joining. Times since renewals are by the wall clocks of the members, as they wrote them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure status
  tenure status --check --shard 7
  tenure status --holdings --member ada
  tenure status --json --cluster orders")]
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
    /// Show this shard alone; may be given several times
    #[arg(long, value_name = "SHARD")]
    shard: Vec<u32>,
    /// Show this member alone, and what it owns; may be given several times
    #[arg(long, value_name = "NAME")]
    member: Vec<MemberId>,
    /// End with exit code 1 if anything is wrong: a shard is unowned, its work fails or does not end, a member is silent
    #[arg(long)]
    check: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.cluster.see().await?;
            let mut survey = cluster.look().await?.survey;
            survey.problems.extend(cluster.strays().await?);
            self.narrow(&mut survey)?;
            talk::data(&self.text(&cluster, &survey))?;
            let wrong = Complaints { survey: &survey, now_ms: cluster.wall_ms() }.all();
            Ok(if self.check && !wrong.is_empty() { Exit::No } else { Exit::Done })
        })
    }

    /// Leaves out what was not asked for.
    fn narrow(&self, survey: &mut Survey) -> Result<(), Failure> {
        if let Some(shard) = self.shard.iter().find(|shard| **shard >= survey.shards) {
            let last = survey.shards.saturating_sub(1);
            return Err(Failure::new(Exit::Usage, format!("there is no shard {shard}; the last is {last}")));
        }
        if let Some(id) = self.member.iter().find(|id| survey.members.iter().all(|view| view.id != **id)) {
            let there: Vec<String> = survey.members.iter().map(|view| view.id.to_string()).collect();
            let there = if there.is_empty() { "nobody".into() } else { there.join(", ") };
            return Err(Failure::new(Exit::Refused, format!("there is no member {id}; there is {there}")));
        }
        let shown = |shard: ShardId| self.shard.is_empty() || self.shard.contains(&shard.0);
        let named = |id: &MemberId| self.member.is_empty() || self.member.contains(id);
        survey.holdings.retain(|view| {
            shown(view.shard) && (self.member.is_empty() || view.owner.as_ref().is_some_and(named))
        });
        survey.unowned.retain(|shard| self.member.is_empty() && shown(*shard));
        survey.members.retain(|view| named(&view.id));
        for view in &mut survey.members {
            view.holds.retain(|shard| shown(*shard));
            view.stuck.retain(|shard| shown(*shard));
            view.failing.retain(|failing| shown(failing.shard));
        }
        Ok(())
    }

    fn text(&self, cluster: &Cluster, survey: &Survey) -> String {
        let paint = Paint::for_data();
        match (self.json, self.holdings) {
            (true, _) => Document::of(&self.cluster.cluster, survey, cluster.wall_ms()).text(),
            (_, true) => holdings::table(survey, cluster.wall_ms()).draw(paint),
            (false, false) => {
                let place = (&self.cluster, cluster.meta());
                Picture { place, survey, all: self.all, now_ms: cluster.wall_ms(), paint }.draw()
            }
        }
    }
}
