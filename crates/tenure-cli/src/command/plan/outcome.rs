//! What would move, and how much everybody would own then, in words.

use std::collections::BTreeMap;

use tenure::cluster::{Outcome, Share};
use tenure::{MemberId, ShardId};

use crate::command::looking::Seen;
use crate::format::{self, Align, Table};
use crate::paint::Paint;

impl Seen for Outcome {
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
