//! What would move, and how much everybody would own then, in words.

use std::collections::BTreeMap;

use tenure::cluster::Outcome;
use tenure::{MemberId, ShardId};

use crate::paint::Paint;
use crate::show::{self, Align, Table};

/// For programs.
pub(super) fn json(outcome: &Outcome) -> String {
    show::json_lines(outcome)
}

/// For people.
pub(super) fn text(outcome: &Outcome, paint: Paint) -> String {
    let total = outcome.holds.values().map(|(_, then)| then).sum::<usize>();
    let head = match outcome.moves.len() {
        0 => "Nothing would move.\n".into(),
        moves => format!("{moves} of {total} shards would move.\n"),
    };
    format!("{head}\n{}{}", shares(outcome).draw(paint), ways(outcome))
}

fn shares(outcome: &Outcome) -> Table {
    let mut table =
        Table::new(&[("MEMBER", Align::Left), ("HOLDS", Align::Right), ("WOULD HOLD", Align::Right)]);
    for (id, (now, then)) in &outcome.holds {
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
        format!("\n  {from} -> {to}: {}", show::shards(&shards, 60))
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
        let holds = BTreeMap::from([(id("a"), (3, 1)), (id("b"), (0, 3))]);
        assert_eq!(
            text(&Outcome { moves, holds }, Paint::off()),
            "3 of 4 shards would move.\n\n  MEMBER  HOLDS  WOULD HOLD\n  a           3           1\n  \
             b           0           3\n\n  a -> b: 1-2\n  nobody -> b: 3\n"
        );
    }

    #[test]
    fn nothing_to_move_is_said_plainly() {
        let outcome = Outcome { moves: vec![], holds: BTreeMap::from([(id("a"), (1, 1))]) };
        assert!(text(&outcome, Paint::off()).starts_with("Nothing would move.\n"));
    }
}
