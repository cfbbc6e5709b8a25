//! `tenure plan`: what would move if members came, went or weighed otherwise, before anything does.

use std::collections::BTreeMap;

use tenure::cluster::{Cluster, Doubt, Newcomer, Outcome, Share, Weighed, WhatIf};
use tenure::{MemberId, ShardId};

use super::options::{LookOptions, Printable};
use crate::exit::{Exit, Failure};
use crate::format::{self, Align, Table};
use crate::paint::Paint;

/// Show what would move if members came, went or weighed otherwise
///
/// Computes the plan that the members themselves would follow. Nothing is changed. Without options: what would move now.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure plan
  tenure plan --add dan:2:eu-1
  tenure plan --remove ada --weight ben=3 --json")]
pub(crate) struct Args {
    /// A member that would come, with its weight and zone if they matter
    #[arg(long, value_name = "ID[:WEIGHT[:ZONE]]", value_parser = newcomer)]
    add: Vec<Newcomer>,
    /// A member that would go
    #[arg(long, value_name = "ID")]
    remove: Vec<MemberId>,
    /// A member that would weigh otherwise
    #[arg(long, value_name = "ID=WEIGHT", value_parser = weighed)]
    weight: Vec<Weighed>,
    #[command(flatten)]
    look: LookOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let question = WhatIf { add: self.add, remove: self.remove, weigh: self.weight };
        self.look.show(async |cluster: &mut Cluster| {
            let survey = cluster.look().await?.survey;
            question.outcome(cluster.meta(), &survey).map_err(doubted)
        })
    }
}

fn doubted(doubt: Doubt) -> Failure {
    let exit = if matches!(doubt, Doubt::Placement(_)) { Exit::Cluster } else { Exit::Refused };
    Failure::new(exit, doubt.to_string())
}

/// A member that would come: `ID`, `ID:WEIGHT` or `ID:WEIGHT:ZONE`.
fn newcomer(text: &str) -> Result<Newcomer, String> {
    let mut parts = text.splitn(3, ':');
    let id = parts.next().unwrap_or_default().parse().map_err(|error| format!("{error}"))?;
    let weight = parts.next().map_or(Ok(1), weight)?;
    Ok(Newcomer { id, weight, zone: parts.next().map(Into::into) })
}

/// A member that would weigh otherwise: `ID=WEIGHT`.
fn weighed(text: &str) -> Result<Weighed, String> {
    let (id, number) = text.split_once('=').ok_or("write it as ID=WEIGHT, such as a=2")?;
    Ok(Weighed { id: id.parse().map_err(|error| format!("{error}"))?, weight: weight(number)? })
}

fn weight(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|weight| *weight > 0);
    number.ok_or_else(|| format!("{text:?} is no weight; use a number from 1"))
}

impl Printable for Outcome {
    fn json(&self) -> String {
        format::json_lines(self)
    }

    fn text(&self, paint: Paint) -> String {
        let total = self.holds.values().map(|share| share.then).sum::<usize>();
        let head = match self.moves.len() {
            0 => "Nothing would move.\n".into(),
            moves => format!("{moves} of {total} shards would move.\n"),
        };
        format!("{head}\n{}{}", shares(self).draw(paint), ways(self))
    }
}

fn shares(outcome: &Outcome) -> Table {
    let mut table =
        Table::new(&[("MEMBER", Align::Left), ("HOLDS", Align::Right), ("WOULD HOLD", Align::Right)]);
    for (id, Share { now, then }) in &outcome.holds {
        table.row([id.to_string(), now.to_string(), then.to_string()]);
    }
    table
}

fn ways(outcome: &Outcome) -> String {
    let mut ways: BTreeMap<(String, String), Vec<ShardId>> = BTreeMap::new();
    let name = |id: &Option<MemberId>| id.as_ref().map_or_else(|| "nobody".into(), ToString::to_string);
    for one in &outcome.moves {
        ways.entry((name(&one.from), name(&one.to))).or_default().push(one.shard);
    }
    let line = |((from, to), shards): ((String, String), Vec<ShardId>)| {
        format!("\n  {from} -> {to}: {}", format::shards(&shards, 60))
    };
    let lines: String = ways.into_iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("{lines}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenure::cluster::Move;

    #[test]
    fn a_newcomer_may_say_its_weight_and_zone() {
        let said = |text: &str| newcomer(text).map(|one| (one.weight, one.zone));
        assert_eq!(said("d"), Ok((1, None)));
        assert_eq!(said("d:3"), Ok((3, None)));
        assert_eq!(said("d:3:eu:1"), Ok((3, Some("eu:1".into()))));
        assert!(said("d:0").is_err() && said("d:x").is_err() && said("").is_err() && said("ä").is_err());
    }

    #[test]
    fn a_weight_is_said_with_its_member() {
        assert_eq!(weighed("a=2").map(|one| one.weight), Ok(2));
        assert!(weighed("a").is_err() && weighed("a=").is_err());
    }

    fn id(name: &str) -> MemberId {
        name.parse().unwrap()
    }

    fn moved(shard: u32, from: Option<&str>, to: &str) -> Move {
        Move { shard: ShardId(shard), from: from.map(id), to: Some(id(to)) }
    }

    #[test]
    fn what_would_move_is_told_by_way() {
        let moves = vec![moved(1, Some("a"), "b"), moved(2, Some("a"), "b"), moved(3, None, "b")];
        let holds =
            BTreeMap::from([(id("a"), Share { now: 3, then: 1 }), (id("b"), Share { now: 0, then: 3 })]);
        assert_eq!(
            Outcome { moves, holds }.text(Paint::off()),
            "3 of 4 shards would move.\n\n  MEMBER  HOLDS  WOULD HOLD\n  a           3           1\n  \
             b           0           3\n\n  a -> b: 1-2\n  nobody -> b: 3\n"
        );
    }

    #[test]
    fn nothing_to_move_is_said_plainly() {
        let outcome =
            Outcome { moves: vec![], holds: BTreeMap::from([(id("a"), Share { now: 1, then: 1 })]) };
        assert!(outcome.text(Paint::off()).starts_with("Nothing would move.\n"));
    }
}
