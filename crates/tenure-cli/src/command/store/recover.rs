//! `tenure store recover`: makes a cluster fit for use again after its store was restored from a backup, or forgot otherwise.

use std::io::IsTerminal;

use serde::Serialize;
use tenure::cluster::{Forecast, RecoverError, Recoverer, Step};
use tenure_core::recovery::STEP;

use crate::command::ClusterOptions;
use crate::command::confirm::{confirm, confirm_by_name};
use crate::command::deed::Reason;
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Make a cluster fit for use after its store was restored from a backup, or lost writes
///
/// A store that forgot may give out epochs a second time, and knows nothing of owners that came later. This gives the cluster a new
/// lineage, raises every epoch by 2^32, takes all leases away, and waits until every lease of before must be over; then members come back
/// by themselves. Stop all members first. It says what it will do, and asks twice. If it is stopped in between, say it again: it goes on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure store recover --plan
  tenure store recover --why 'restored last night'
  tenure store recover --yes orders --cluster orders")]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Say what would be done, and do nothing
    #[arg(long)]
    plan: bool,
    /// Don't ask: the cluster's name, as a proof that it is meant
    #[arg(long, value_name = "CLUSTER", conflicts_with = "plan")]
    yes: Option<String>,
    /// Recover it although members seem to live: they lose their leases, and what they do until then may not be undone
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reason: Reason,
}

/// What is done, for programs. Names stay, new ones may be added.
#[derive(Debug, Serialize)]
struct Document {
    cluster: String,
    shards: u32,
    /// The highest epoch that the store remembers.
    top: u64,
    /// By how much each epoch is raised.
    raised_by: u64,
    /// Whose leases are taken away.
    members: Vec<String>,
    /// Those of them that seem to live.
    alive: Vec<String>,
    /// Whether it was begun before.
    resumed: bool,
    /// How long it waits.
    wait_ms: u64,
    /// Whether it was done.
    done: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let store = tenure_stores::open_existing(&self.cluster.store).await?;
            let author = "operator".parse().expect("a plain name");
            let recoverer = Recoverer::new(store.clone(), &self.cluster.cluster, author);
            let Some(forecast) = recoverer.forecast().await? else {
                return Err(self.cluster.no_cluster(&store).await);
            };
            talk::say(&self.told(&forecast));
            if !self.plan {
                self.check_alive(&forecast)?;
                self.agree()?;
                self.recover(&recoverer, &forecast).await?;
            }
            self.tell(&forecast)?;
            Ok(Exit::Done)
        })
    }

    /// What is about to be done.
    fn told(&self, forecast: &Forecast) -> String {
        let begin = if forecast.resumed { "goes on to get" } else { "gets" };
        let (cluster, shards) = (&self.cluster.cluster, forecast.shards);
        let (members, wait) =
            (format::count(forecast.members.len(), "member"), format::span(forecast.patience));
        format!(
            "cluster {cluster} {begin} a new lineage. The epochs of its {shards} shards, of which the highest is {}, are raised by {STEP}. \
             {members} lose their leases. Nobody owns anything for at least {wait}, until every lease of before is over; then members \
             that run, or start, share the shards anew",
            forecast.top
        )
    }

    fn check_alive(&self, forecast: &Forecast) -> Result<(), Failure> {
        if forecast.alive.is_empty() || self.force || forecast.resumed {
            return Ok(());
        }
        let alive: Vec<String> = forecast.alive.iter().map(ToString::to_string).collect();
        let message = format!(
            "members seem to live: {}; stop them first. One that is stopped already seems so until its lease is over: wait. With --force it \
             is done all the same",
            alive.join(", ")
        );
        Err(Failure::new(Exit::Refused, message))
    }

    /// Asked twice: whether it is meant, and which cluster is.
    fn agree(&self) -> Result<(), Failure> {
        let cluster = self.cluster.cluster.as_str();
        match &self.yes {
            Some(said) if said == cluster => Ok(()),
            Some(said) => {
                let message =
                    format!("--yes says {said:?}, and this is the cluster {cluster}; nothing was done");
                Err(Failure::new(Exit::Usage, message))
            }
            None if !std::io::stdin().is_terminal() => {
                let message = format!(
                    "nobody is there to confirm; say --yes {cluster}, or --plan to see what would be done"
                );
                Err(Failure::new(Exit::Usage, message))
            }
            None => {
                confirm(&format!("Recover cluster {cluster}?"), false)?;
                confirm_by_name("Nobody can undo this. To go on, type the cluster's name:", cluster)
            }
        }
    }

    /// Written down before and after, if the cluster can be read by then; one that is half recovered can't, and is written down after.
    async fn recover(&self, recoverer: &Recoverer, forecast: &Forecast) -> Result<(), Failure> {
        let what = format!("store recover{}", if self.force { " --force" } else { "" });
        if forecast.resumed {
            recoverer.recover(forecast, say).await?;
            let done = async |_: &mut tenure::Cluster| Ok::<(), RecoverError>(());
            return self.reason.of(&what, &mut self.cluster.find().await?, done).await;
        }
        let deed = async |_: &mut tenure::Cluster| recoverer.recover(forecast, say).await;
        self.reason.of(&what, &mut self.cluster.find().await?, deed).await
    }

    fn tell(&self, forecast: &Forecast) -> Result<(), Failure> {
        if !self.reason.json() {
            return Ok(());
        }
        let names = |ids: &std::collections::BTreeSet<tenure::MemberId>| {
            ids.iter().map(ToString::to_string).collect()
        };
        let document = Document {
            cluster: self.cluster.cluster.to_string(),
            shards: forecast.shards,
            top: forecast.top,
            raised_by: STEP,
            members: names(&forecast.members),
            alive: names(&forecast.alive),
            resumed: forecast.resumed,
            wait_ms: u64::try_from(forecast.patience.as_millis()).unwrap_or(u64::MAX),
            done: !self.plan,
        };
        talk::data(&format::json_lines(&document))
    }
}

fn say(step: Step) {
    talk::say(&match step {
        Step::Begun => "begun: nobody joins until it is done".into(),
        Step::Raised => "every epoch is raised".into(),
        Step::Waits(closed, patience) => {
            let (closed, patience) = (format::count(closed, "lease"), format::span(patience));
            format!("{closed} taken away; waiting {patience}, until every lease of before is over")
        }
        Step::Done => "done: members come back by themselves".into(),
    });
}

impl From<RecoverError> for Failure {
    fn from(error: RecoverError) -> Self {
        match error {
            RecoverError::Hindered(hindrance) => {
                Self::new(Exit::Refused, format!("the cluster can't be recovered: {hindrance}"))
            }
            RecoverError::Contested(what) => Self::new(Exit::Refused, what),
            RecoverError::Failed(error) => error.into(),
        }
    }
}
