//! `tenure move SHARD --to MEMBER`: a planned move, at an operator's word.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::cluster::{Cluster, Survey};
use tenure::{MemberId, ShardId};

use super::ClusterOptions;
use super::deed::Reason;
use super::waiting::{Waiting, wait};
use crate::exit::{Exit, Failure};
use crate::{runtime, show, talk};

/// Move a shard to another member
///
/// The shard is promised to the member; its owner drains and hands it over. Where the placement evens out shares, the members
/// may later move another shard the other way, or the same one: to keep a member empty, drain it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure move 7 --to ben
  tenure move 7 --to ben --no-wait --why 'ben has the data'")]
pub(crate) struct Args {
    /// The shard
    shard: u32,
    /// The member that gets it
    #[arg(long, value_name = "MEMBER")]
    to: MemberId,
    #[command(flatten)]
    reason: Reason,
    #[command(flatten)]
    waiting: Waiting,
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.cluster.find().await?;
            let author = "operator".parse().expect("a plain name");
            let what = format!("move {} --to {}", self.shard, self.to);
            let deed =
                async |cluster: &mut Cluster| cluster.promise(ShardId(self.shard), &self.to, &author).await;
            self.reason.of(&what, &mut cluster, deed).await?;
            talk::say(&format!("shard {} is promised to {}", self.shard, self.to));
            self.wait(&mut cluster).await
        })
    }

    async fn wait(&self, cluster: &mut Cluster) -> Result<Exit, Failure> {
        let clock = Clock::boot();
        let (begun, mut owned_at) = (clock.now(), clock.now());
        let mut called_off = false;
        let ended = wait(&self.waiting, cluster, |survey| {
            let now = clock.now();
            match place(survey, ShardId(self.shard), &self.to) {
                Place::There => {
                    talk::say(&self.arrival(now.since(begun), now.since(owned_at)));
                    return true;
                }
                Place::Away => called_off = true,
                Place::Before => owned_at = now,
                Place::Between => {}
            }
            called_off
        });
        let ended = ended.await?;
        if called_off {
            let message = format!("shard {} did not go to {}: see `tenure status`", self.shard, self.to);
            return Err(Failure::new(Exit::Unfinished, message));
        }
        Ok(ended)
    }

    fn arrival(&self, took: Duration, gap: Duration) -> String {
        let (took, gap) = (show::span(took), show::span(gap));
        format!("shard {} is at {} after {took}; without an owner for at most {gap}", self.shard, self.to)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// At its owner still, and promised.
    Before,
    /// Its owner has ended, its heir is not written down as owner yet.
    Between,
    /// At its new owner.
    There,
    /// Elsewhere, and not promised any more.
    Away,
}

fn place(survey: &Survey, shard: ShardId, to: &MemberId) -> Place {
    let Some(view) = survey.holdings.iter().find(|view| view.shard == shard) else { return Place::Between };
    match (&view.owner, &view.heir) {
        (Some(owner), _) if owner == to => Place::There,
        (None, _) => Place::Between,
        (Some(_), Some(heir)) if heir == to => Place::Before,
        (Some(_), Some(_) | None) => Place::Away,
    }
}
