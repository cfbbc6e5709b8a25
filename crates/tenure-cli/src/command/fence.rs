//! `tenure fence MEMBER`: ends a member that won't end by itself, in the one way that is safe.
//!
//! A process can't be stopped from afar. What can be done is to take its record away: its next renewal fails, it lapses, and
//! by the time its whole lease has passed in silence others may close it and take over. To write `gone` over a living
//! lease would be faster, and would give a shard two owners.

use std::time::Duration;

use tenure::MemberId;
use tenure::cluster::{Cluster, MemberStatus, MemberView, Survey};

use super::confirm::confirm;
use super::deed::DeedOptions;
use super::wait_options::{WaitOutcome, wait};
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Take its lease away from a member
///
/// For a member that renews its lease but does not do its work, and that can't be stopped where it runs. It costs: the member's
/// shards have no owner until its whole lease has passed in silence. Afterwards it is kept out until
/// `tenure drain MEMBER --undo`, unless --let-return is said.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure fence ada
  tenure fence ada --yes --let-return --why 'it hangs'")]
pub(crate) struct Args {
    /// The member
    member: MemberId,
    /// Don't ask
    #[arg(long)]
    yes: bool,
    /// Let it have shards again when it comes back
    #[arg(long)]
    let_return: bool,
    #[command(flatten)]
    deed: DeedOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.deed.cluster.find().await?;
            let survey = cluster.look().await?.survey;
            let view = survey.members.iter().find(|view| view.id == self.member);
            if let Some(view) = view {
                talk::say(&self.cost(view));
                confirm(&format!("Fence {}?", self.member), self.yes)?;
            }
            let what = format!("fence {}{}", self.member, if self.let_return { " --let-return" } else { "" });
            let deed = async |cluster: &mut Cluster| cluster.fence(&self.member, !self.let_return).await;
            self.deed.reason.of(&what, &mut cluster, deed).await?;
            talk::say(&format!("{} is fenced: it stops at its next renewal", self.member));
            let ended = self.wait(&mut cluster).await?;
            self.deed.reason.tell(&what, true, ended)
        })
    }

    fn cost(&self, view: &MemberView) -> String {
        let ttl = Duration::from_millis(view.ttl_ms);
        let (held, renewal, silence) =
            (view.holds.len(), format::span(ttl / 3), format::span(ttl.mul_f64(1.06)));
        let return_ = if self.let_return {
            "It may come back and get shards again."
        } else {
            "It is kept out until it is undrained."
        };
        format!(
            "{} holds {}. It stops acting within about {renewal}; nobody owns them until about {silence} from now. {return_}",
            view.id,
            format::count(held, "shard"),
        )
    }

    async fn wait(&self, cluster: &mut Cluster) -> Result<WaitOutcome, Failure> {
        let (mut told, before) = (false, life(&cluster.look().await?.survey, &self.member));
        let ended = wait(&self.deed.waiting, cluster, |survey| {
            let view = survey.members.iter().find(|view| view.id == self.member);
            let closed = view.is_none_or(|view| {
                view.incarnation != before || matches!(view.state, MemberStatus::Gone | MemberStatus::Deposed)
            });
            if closed && !told {
                told = true;
                talk::say(&format!("{}'s former life is closed; others take its shards", self.member));
            }
            closed && survey.unowned.is_empty() && !self.still_holds(survey)
        });
        ended.await
    }

    fn still_holds(&self, survey: &Survey) -> bool {
        !self.let_return && survey.members.iter().any(|view| view.id == self.member && !view.holds.is_empty())
    }
}

fn life(survey: &Survey, id: &MemberId) -> Option<tenure_core::ids::Incarnation> {
    survey.members.iter().find(|view| view.id == *id).and_then(|view| view.incarnation)
}
