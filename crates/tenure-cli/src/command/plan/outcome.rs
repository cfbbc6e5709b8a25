//! What would move, and how much everybody would own then.

use std::collections::BTreeMap;

use serde::Serialize;
use tenure::cluster::Survey;
use tenure::{MemberId, Placement, ShardId};
use tenure_core::plan::{Candidate, Picture, plan};

use crate::paint::Paint;
use crate::show::{self, Align, Table};

/// One shard that would move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Move {
    shard: ShardId,
    from: Option<MemberId>,
    to: Option<MemberId>,
}

/// What would come of a plan.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    moves: Vec<Move>,
    /// For each member, how many shards it holds now and how many it would.
    holds: BTreeMap<MemberId, (usize, usize)>,
}

impl Outcome {
    pub(super) fn of(
        survey: &Survey,
        placement: Placement,
        candidates: &[Candidate],
        spread_zones: bool,
    ) -> Self {
        let at: Vec<Option<MemberId>> = homes(survey);
        let place = |id: &MemberId| candidates.iter().position(|one| one.id == *id).map(|at| at as u32);
        let homes: Vec<Option<u32>> = at.iter().map(|id| id.as_ref().and_then(place)).collect();
        let planned = plan(placement, &Picture { candidates, homes: &homes, spread_zones });
        let goes = planned.iter().map(|home| home.map(|home| candidates[home as usize].id.clone()));
        Self::between(&at, &goes.collect::<Vec<_>>(), candidates)
    }

    fn between(at: &[Option<MemberId>], goes: &[Option<MemberId>], candidates: &[Candidate]) -> Self {
        let mut holds: BTreeMap<MemberId, (usize, usize)> =
            candidates.iter().map(|one| (one.id.clone(), (0, 0))).collect();
        at.iter().flatten().for_each(|id| holds.entry(id.clone()).or_default().0 += 1);
        goes.iter().flatten().for_each(|id| holds.entry(id.clone()).or_default().1 += 1);
        let pairs = (0..).zip(at.iter().zip(goes)).filter(|(_, (from, to))| from != to);
        let one = |(shard, (from, to)): (u32, (&Option<MemberId>, &Option<MemberId>))| Move {
            shard: ShardId(shard),
            from: from.clone(),
            to: to.clone(),
        };
        Self { moves: pairs.map(one).collect(), holds }
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("names and numbers are JSON") + "\n"
    }

    pub(super) fn text(&self, paint: Paint) -> String {
        let total = self.holds.values().map(|(_, then)| then).sum::<usize>();
        let head = match self.moves.len() {
            0 => "Nothing would move.\n".into(),
            moves => format!("{moves} of {total} shards would move.\n"),
        };
        format!("{head}\n{}{}", self.shares().draw(paint), self.ways())
    }

    fn shares(&self) -> Table {
        let mut table =
            Table::new(&[("MEMBER", Align::Left), ("HOLDS", Align::Right), ("WOULD HOLD", Align::Right)]);
        for (id, (now, then)) in &self.holds {
            table.row([id.to_string(), now.to_string(), then.to_string()]);
        }
        table
    }

    fn ways(&self) -> String {
        let mut ways: BTreeMap<(String, String), Vec<ShardId>> = BTreeMap::new();
        let name = |id: &Option<MemberId>| id.as_ref().map_or_else(|| "nobody".into(), ToString::to_string);
        for one in &self.moves {
            ways.entry((name(&one.from), name(&one.to))).or_default().push(one.shard);
        }
        let line = |((from, to), shards): ((String, String), Vec<ShardId>)| {
            format!("\n  {from} -> {to}: {}", show::shards(&shards, 60))
        };
        let lines: String = ways.into_iter().map(line).collect();
        if lines.is_empty() { lines } else { format!("{lines}\n") }
    }
}

/// Where each shard is, or will be once the moves under way are done.
fn homes(survey: &Survey) -> Vec<Option<MemberId>> {
    let mut homes = vec![None; survey.shards as usize];
    for view in &survey.holdings {
        homes[view.shard.0 as usize] = view.heir.clone().or_else(|| view.owner.clone());
    }
    homes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> MemberId {
        name.parse().unwrap()
    }

    #[test]
    fn what_would_move_is_told_by_way() {
        let (a, b) = (Some(id("a")), Some(id("b")));
        let at = [a.clone(), a.clone(), a.clone(), None];
        let goes = [a, b.clone(), b.clone(), b];
        let candidates = [Candidate::new(id("a")), Candidate::new(id("b"))];
        let outcome = Outcome::between(&at, &goes, &candidates);
        let text = outcome.text(Paint::off());
        assert_eq!(
            text,
            "3 of 4 shards would move.\n\n  MEMBER  HOLDS  WOULD HOLD\n  a           3           1\n  \
             b           0           3\n\n  a -> b: 1-2\n  nobody -> b: 3\n"
        );
    }

    #[test]
    fn nothing_to_move_is_said_plainly() {
        let outcome = Outcome::between(&[Some(id("a"))], &[Some(id("a"))], &[Candidate::new(id("a"))]);
        assert!(outcome.text(Paint::off()).starts_with("Nothing would move.\n"));
    }
}
