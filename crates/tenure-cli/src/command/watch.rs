//! `tenure watch`: what happens in a cluster, a line for each event, while it happens.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use tenure::clock::Clock;
use tenure::cluster::{Cluster, MemberStatus, News, Survey};
use tenure::{MemberId, ShardId};

use super::{ClusterOptions, time};
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Print what happens, as it happens
///
/// Looks whenever the store hints at a change, and at least once a second; never joins. While the store can't be reached it
/// says so and goes on trying.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure watch
  tenure watch --json --for 1m")]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Print JSON, an object per line
    #[arg(long)]
    json: bool,
    /// End after this time; without it, never
    #[arg(long = "for", value_name = "TIME", value_parser = time::any)]
    limit: Option<Duration>,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.cluster.see().await?;
            talk::say(&greeting(&self.cluster, &cluster.look().await?.survey));
            match self.limit {
                Some(limit) => match Clock::boot().timeout(limit, self.follow(&mut cluster)).await {
                    Ok(ended) => ended,
                    Err(_) => Ok(Exit::Done),
                },
                None => self.follow(&mut cluster).await,
            }
        })
    }

    async fn follow(&self, cluster: &mut Cluster) -> Result<Exit, Failure> {
        let mut away = false;
        // Ends with the program, or when its reader is gone.
        loop {
            match cluster.look_again().await {
                Ok(sight) => {
                    if std::mem::take(&mut away) {
                        talk::say("the store answers again");
                    }
                    self.print(cluster.wall_ms(), sight.news)?;
                }
                Err(error) => {
                    if !std::mem::replace(&mut away, true) {
                        talk::error(&Failure::from(error).story());
                    }
                    Clock::boot().sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }

    fn print(&self, wall_ms: u64, news: Vec<News>) -> Result<(), Failure> {
        let lines: Vec<String> = if self.json {
            news.into_iter().map(|news| json(wall_ms, news)).collect()
        } else {
            let time = format::clock_time(wall_ms);
            told(news).into_iter().map(|line| format!("{time}  {line}\n")).collect()
        };
        if lines.is_empty() { Ok(()) } else { talk::data(&lines.concat()) }
    }
}

fn greeting(options: &ClusterOptions, survey: &Survey) -> String {
    let active = survey.members.iter().filter(|view| view.state == MemberStatus::Active).count();
    let (cluster, unowned) = (&options.cluster, survey.unowned.len());
    let members = format::count(active, "active member");
    format!("watching {cluster}: {members}, {} shards, {unowned} of them unowned", survey.shards)
}

#[derive(Serialize)]
struct Stamped {
    wall_ms: u64,
    #[serde(flatten)]
    news: News,
}

fn json(wall_ms: u64, news: News) -> String {
    format::json(&Stamped { wall_ms, news })
}

/// News in words; shards of which the same is told stand together.
fn told(news: Vec<News>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut shards: BTreeMap<String, Vec<ShardId>> = BTreeMap::new();
    for news in news {
        match news {
            News::Joined { member, incarnation } => {
                let life = incarnation.map(|life| format!(", life {life}")).unwrap_or_default();
                lines.push(format!("{member} joined{life}"));
            }
            News::Became { member, state } => lines.push(format!("{member} is {state}")),
            News::Forgotten { member } => lines.push(format!("{member} is forgotten")),
            News::Problem { what } => lines.push(format!("trouble: {what}")),
            News::Appointed { shard, from, owner, why, .. }
            | News::Succeeded { shard, from, owner, why, .. } => {
                shards.entry(came_to(from, &owner, why.as_deref())).or_default().push(shard);
            }
            News::Promised { shard, heir } => {
                shards.entry(format!("promised to {heir}")).or_default().push(shard);
            }
            News::Failing { member, shard, failures, error } => {
                let times = format::count(failures as usize, "failure");
                let what = format!("to no avail at {member}: {times} in a row; the last said: {error}");
                shards.entry(what).or_default().push(shard);
            }
            News::Stuck { member, shard } => {
                let what = format!("stuck at {member}: the work was interrupted and does not end");
                shards.entry(what).or_default().push(shard);
            }
            News::Recovered { member, shard } => {
                shards.entry(format!("at work again at {member}")).or_default().push(shard);
            }
            News::CalledOff { shard } => shards.entry("move called off".into()).or_default().push(shard),
            News::Unowned { shard, why } => {
                let why = why.as_deref().unwrap_or("nobody knows why");
                shards.entry(format!("unowned: {why}")).or_default().push(shard);
            }
        }
    }
    let noun = |shards: &[ShardId]| if shards.len() == 1 { "shard" } else { "shards" };
    let spoken = |(what, which): (String, Vec<ShardId>)| {
        format!("{} {} {what}", noun(&which), format::shards(&which, 60))
    };
    lines.extend(shards.into_iter().map(spoken));
    lines.iter().map(|line| format::plain(line).into_owned()).collect()
}

fn came_to(from: Option<MemberId>, owner: &MemberId, why: Option<&str>) -> String {
    let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
    match from {
        Some(from) if from != *owner => format!("{from} -> {owner}{why}"),
        _ => format!("-> {owner}{why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenure::Epoch;

    fn id(name: &str) -> MemberId {
        name.parse().unwrap()
    }

    #[test]
    fn shards_of_which_the_same_is_told_stand_together() {
        let appointed = |shard, from: Option<&str>| News::Appointed {
            shard: ShardId(shard),
            from: from.map(id),
            owner: id("b"),
            epoch: Epoch(2),
            why: Some("a ended".into()),
        };
        let news = vec![
            News::Became { member: id("a"), state: MemberStatus::Gone },
            appointed(0, Some("a")),
            appointed(1, Some("a")),
            appointed(5, None),
            News::Promised { shard: ShardId(9), heir: id("c") },
        ];
        let expected =
            ["a is gone", "shard 5 -> b (a ended)", "shards 0-1 a -> b (a ended)", "shard 9 promised to c"];
        assert_eq!(told(news), expected);
    }

    #[test]
    fn a_line_of_json_has_the_time_and_the_news() {
        let line = json(5, News::Promised { shard: ShardId(9), heir: id("c") });
        assert_eq!(line, "{\"wall_ms\":5,\"news\":\"promised\",\"shard\":9,\"heir\":\"c\"}\n");
    }
}
