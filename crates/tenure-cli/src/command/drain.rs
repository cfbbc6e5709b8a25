//! `tenure drain MEMBER`: its shards go to others, and it gets no more, until that is taken back.

use tenure::MemberId;
use tenure::cluster::{Cluster, MemberStatus, Survey};

use super::deed::DeedOptions;
use super::wait_options::{WaitOutcome, wait};
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Hand a member's shards to others, and give it no more
///
/// The wish is written into the member's record and outlives its restarts. The member goes on running; its shards move one by
/// one, as fast as they drain.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure drain ada --why 'the disk is going'
  tenure drain ada --undo
  tenure drain ada --timeout 30s --json")]
pub(crate) struct Args {
    /// The member
    member: MemberId,
    /// Take it back: the member gets shards again, and keeps those that were about to move
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    deed: DeedOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.deed.cluster.find().await?;
            let what = format!("drain {}{}", self.member, if self.undo { " --undo" } else { "" });
            let deed = async |cluster: &mut Cluster| cluster.drain(&self.member, !self.undo).await;
            let news = self.deed.reason.of(&what, &mut cluster, deed).await?;
            match (self.undo, news) {
                (true, true) => {
                    talk::say(&format!("{} gets shards again, and keeps what it has", self.member))
                }
                (true, false) => talk::say(&format!("{} was not drained", self.member)),
                (false, true) => talk::say(&format!("{} hands its shards on", self.member)),
                (false, false) => talk::say(&format!("{} was drained already", self.member)),
            }
            let ended = if self.undo { WaitOutcome::NotAwaited } else { self.wait(&mut cluster).await? };
            self.deed.reason.tell(&what, news, ended)
        })
    }

    async fn wait(&self, cluster: &mut Cluster) -> Result<WaitOutcome, Failure> {
        let mut told = None;
        let ended = wait(&self.deed.waiting, cluster, |survey| {
            let held = held(survey, &self.member);
            if told.replace(held) != Some(held) {
                talk::say(&progress(survey, &self.member, held));
            }
            held == 0 && !is_between(survey)
        });
        ended.await
    }
}

fn held(survey: &Survey, id: &MemberId) -> usize {
    survey.members.iter().find(|view| view.id == *id).map_or(0, |view| view.holds.len())
}

/// Whether a shard is between two owners: released by one, and not written down for the other yet.
fn is_between(survey: &Survey) -> bool {
    survey.holdings.iter().any(|view| view.owner.is_none() && view.heir.is_some())
}

fn progress(survey: &Survey, id: &MemberId, held: usize) -> String {
    let others = survey.members.iter().any(|view| view.id != *id && view.state == MemberStatus::Active);
    match held {
        0 => format!("{id} holds nothing; `tenure drain {id} --undo` takes it back"),
        held if others => format!("{id} holds {}", format::count(held, "shard")),
        held => {
            format!(
                "{id} holds {}; no other member is active, so it keeps them",
                format::count(held, "shard")
            )
        }
    }
}
