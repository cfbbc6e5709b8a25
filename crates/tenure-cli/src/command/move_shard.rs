//! `tenure move SHARD --to MEMBER`: a planned move, at an operator's word.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::cluster::{Cluster, Survey};
use tenure::{MemberId, ShardId};

use super::deed::DeedOptions;
use super::wait_options::{WaitOutcome, wait};
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Move a shard to another member
///
/// The shard is promised to the member; its owner drains and hands it over. Where the placement evens out shares, the members
/// may later move another shard the other way, or the same one: to keep a member empty, drain it. Until the next owner has begun,
/// --cancel takes the promise back, whoever made it; where the placement wants the shard there, the members promise it again.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure move 7 --to ben
  tenure move 7 --to ben --no-wait --why 'ben has the data'
  tenure move 7 --cancel --json")]
pub(crate) struct Args {
    /// The shard
    shard: u32,
    /// The member that gets it
    #[arg(long, value_name = "MEMBER", required_unless_present = "cancel", conflicts_with = "cancel")]
    to: Option<MemberId>,
    /// Take a move back that is not done yet
    #[arg(long)]
    cancel: bool,
    #[command(flatten)]
    deed: DeedOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.deed.cluster.find().await?;
            match &self.to {
                Some(to) => self.relocate(&mut cluster, to).await,
                None => self.cancel(&mut cluster).await,
            }
        })
    }

    async fn relocate(&self, cluster: &mut Cluster, to: &MemberId) -> Result<Exit, Failure> {
        let (shard, what) = (self.shard, format!("move {} --to {to}", self.shard));
        let author = "operator".parse().expect("a plain name");
        let deed = async |cluster: &mut Cluster| cluster.promise(ShardId(shard), to, &author).await;
        let promised = self.deed.reason.of(&what, cluster, deed).await?;
        if !promised {
            talk::say(&format!("shard {shard} is at {to} already"));
            return self.deed.reason.tell(&what, false, WaitOutcome::Finished);
        }
        talk::say(&format!("shard {shard} is promised to {to}"));
        let ended = self.wait(cluster, to).await?;
        self.deed.reason.tell(&what, true, ended)
    }

    async fn cancel(&self, cluster: &mut Cluster) -> Result<Exit, Failure> {
        let (shard, what) = (self.shard, format!("move {} --cancel", self.shard));
        let deed = async |cluster: &mut Cluster| cluster.call_off(&[ShardId(shard)]).await;
        let asked = self.deed.reason.of(&what, cluster, deed).await?;
        if !asked {
            talk::say(&format!("shard {shard} is not on the move, or was called back already"));
        }
        let ended = self.wait_until_kept(cluster).await?;
        self.deed.reason.tell(&what, asked, ended)
    }

    /// Waits until the shard is not promised any more, and says where it is then.
    async fn wait_until_kept(&self, cluster: &mut Cluster) -> Result<WaitOutcome, Failure> {
        let mut before = None;
        let mut after = None;
        let ended = wait(&self.deed.waiting, cluster, |survey| {
            let Some(view) = survey.holdings.get(self.shard as usize) else { return true };
            before = before.take().or_else(|| view.owner.clone());
            after = view.owner.clone().filter(|_| view.heir.is_none());
            after.is_some()
        });
        let ended = ended.await?;
        match (before, after) {
            (Some(before), Some(owner)) if before != owner => {
                let message = format!("shard {} had begun at {owner}; move it back from there", self.shard);
                Err(Failure::new(Exit::Refused, message))
            }
            (_, Some(owner)) => {
                talk::say(&format!("shard {} stays at {owner}", self.shard));
                Ok(ended)
            }
            (_, None) => Ok(ended),
        }
    }

    async fn wait(&self, cluster: &mut Cluster, to: &MemberId) -> Result<WaitOutcome, Failure> {
        let clock = Clock::boot();
        let (begun, mut owned_at) = (clock.now(), clock.now());
        let mut called_off = false;
        let ended = wait(&self.deed.waiting, cluster, |survey| {
            let now = clock.now();
            match progress(survey, ShardId(self.shard), to) {
                Progress::There => {
                    talk::say(&self.arrival(to, now.since(begun), now.since(owned_at)));
                    return true;
                }
                Progress::Away => called_off = true,
                Progress::Before => owned_at = now,
                Progress::Between => {}
            }
            called_off
        });
        let ended = ended.await?;
        if called_off {
            let message = format!("shard {} did not go to {to}: see `tenure status`", self.shard);
            return Err(Failure::new(Exit::Unfinished, message));
        }
        Ok(ended)
    }

    fn arrival(&self, to: &MemberId, took: Duration, gap: Duration) -> String {
        let (took, gap) = (format::span(took), format::span(gap));
        format!("shard {} is at {to} after {took}; without an owner for at most {gap}", self.shard)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Progress {
    /// At its owner still, and promised.
    Before,
    /// Its owner has ended, its heir is not written down as owner yet.
    Between,
    /// At its new owner.
    There,
    /// Elsewhere, and not promised any more.
    Away,
}

fn progress(survey: &Survey, shard: ShardId, to: &MemberId) -> Progress {
    let Some(view) = survey.holdings.iter().find(|view| view.shard == shard) else {
        return Progress::Between;
    };
    match (&view.owner, &view.heir) {
        (Some(owner), _) if owner == to => Progress::There,
        (None, _) => Progress::Between,
        (Some(_), Some(heir)) if heir == to => Progress::Before,
        (Some(_), Some(_) | None) => Progress::Away,
    }
}
