//! `tenure wait`: ends when the cluster is as wished, so that scripts need no loop of their own.

use std::time::Duration;

use serde::Serialize;
use tenure::MemberId;
use tenure::clock::Clock;
use tenure::cluster::{Cluster, Sight, Survey, WhatIf};

use super::{ClusterOptions, time};
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// The pause before a store that does not answer is asked again.
const RETRY: Duration = Duration::from_millis(500);

/// Wait until the cluster is as wished
///
/// Looks whenever the store hints at a change, and says on standard error what is still missing whenever that changes. Of several
/// wishes all must come true at once. Ends with 0 if they did, and with 6 if they did not in time. While the store can't be reached
/// it goes on trying.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure wait --all-owned
  tenure wait --balanced --timeout 2m
  tenure wait --member ada --drained --json")]
pub(crate) struct Args {
    /// Until every shard has an owner
    #[arg(long, required_unless_present_any = ["balanced", "drained"])]
    all_owned: bool,
    /// Until every shard has an owner, none is on the move, and the members would move none
    #[arg(long)]
    balanced: bool,
    /// Until the member that --member names holds nothing, and nothing is promised to it
    #[arg(long, requires = "member")]
    drained: bool,
    /// The member that is to be drained
    #[arg(long, value_name = "NAME", requires = "drained")]
    member: Option<MemberId>,
    /// How long to wait
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time::any)]
    timeout: Duration,
    /// Print JSON when it is over
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// What came of it. Names stay, new ones may be added.
#[derive(Serialize)]
struct Document<'a> {
    /// Whether all wishes came true.
    met: bool,
    /// What is missing, in words; empty if nothing is.
    missing: &'a [String],
    waited_ms: u64,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.cluster.see().await?;
            let (clock, mut missing) = (Clock::boot(), Vec::new());
            let begun = clock.now();
            // However short the time is: one look is taken.
            let sight = cluster.look().await;
            let met = clock.timeout(self.timeout, self.follow(&mut cluster, sight, &mut missing)).await;
            let met = match met {
                Ok(ended) => ended.map(|()| true)?,
                Err(_) => false,
            };
            self.tell(met, &missing, clock.now().since(begun))
        })
    }

    /// Returns when nothing is missing.
    async fn follow(
        &self,
        cluster: &mut Cluster,
        mut sight: Result<Sight, tenure::Error>,
        missing: &mut Vec<String>,
    ) -> Result<(), Failure> {
        loop {
            let found = match sight {
                Ok(sight) => self.missing(cluster, &sight.survey)?,
                Err(error) => vec![Failure::from(error).story()],
            };
            let is_news = found != *missing;
            *missing = found;
            if missing.is_empty() {
                return Ok(());
            }
            if is_news {
                talk::say(&format!("waiting: {}", missing.join("; ")));
            }
            sight = cluster.look_again().await;
            if sight.is_err() {
                Clock::boot().sleep(RETRY).await;
            }
        }
    }

    fn missing(&self, cluster: &Cluster, survey: &Survey) -> Result<Vec<String>, Failure> {
        let mut missing = Vec::new();
        if self.all_owned || self.balanced {
            missing.extend(unowned(survey));
        }
        if self.balanced {
            missing.extend(unbalanced(cluster, survey));
        }
        if let Some(id) = &self.member {
            missing.extend(held(survey, id)?);
        }
        Ok(missing)
    }

    fn tell(&self, met: bool, missing: &[String], waited: Duration) -> Result<Exit, Failure> {
        if !met {
            let limit = humantime::format_duration(self.timeout);
            talk::say(&format!("not so within {limit}: {}", missing.join("; ")));
        }
        if self.json {
            let waited_ms = waited.as_millis() as u64;
            talk::data(&format::json(&Document { met, missing, waited_ms }))?;
        }
        Ok(if met { Exit::Done } else { Exit::Unfinished })
    }
}

/// A page that can't be read shows none of its shards: they count as unowned.
fn unowned(survey: &Survey) -> Option<String> {
    let owned = survey.holdings.len() - survey.unowned.len();
    let without = (survey.shards as usize).saturating_sub(owned);
    (without > 0)
        .then(|| format!("{without} of {} without an owner", format::count(survey.shards as usize, "shard")))
}

fn unbalanced(cluster: &Cluster, survey: &Survey) -> Option<String> {
    let moving = survey.holdings.iter().filter(|view| view.heir.is_some()).count();
    if moving > 0 {
        return Some(format!("{} on the move", format::count(moving, "shard")));
    }
    match WhatIf::default().outcome(cluster.meta(), survey) {
        Ok(outcome) if outcome.moves.is_empty() => None,
        Ok(outcome) => {
            Some(format!("{} to be moved for balance", format::count(outcome.moves.len(), "shard")))
        }
        Err(doubt) => Some(doubt.to_string()),
    }
}

fn held(survey: &Survey, id: &MemberId) -> Result<Option<String>, Failure> {
    let view = survey.members.iter().find(|view| view.id == *id);
    let there = || Failure::new(Exit::Refused, format!("there is no member {id} in this cluster"));
    let held = view.ok_or_else(there)?.holds.len();
    let promised = survey.holdings.iter().filter(|view| view.heir.as_ref() == Some(id)).count();
    Ok(match (held, promised) {
        (0, 0) => None,
        (0, promised) => Some(format!("{} on the way to {id}", format::count(promised, "shard"))),
        (held, _) => Some(format!("{id} holds {}", format::count(held, "shard"))),
    })
}
