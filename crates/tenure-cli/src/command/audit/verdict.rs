//! What an audit found, in words and as JSON.

use std::time::Duration;

use serde::Serialize;

use super::tenure_of::Tenure;
use crate::format::{self, clock_time};
use crate::paint::Paint;

/// A pair of tenures that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Both acted at once.
    Overlap {
        /// Who acted first.
        before: Tenure,
        /// Who began too early.
        after: Tenure,
        /// For how many microseconds.
        us: i64,
    },
    /// The later one has no higher epoch.
    Epoch(Tenure, Tenure),
}

/// A shard without an owner, between two tenures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) us: i64,
    /// Whether it went to another member; else the same one began anew.
    pub(super) between_members: bool,
}

/// What an audit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) shards: usize,
    pub(super) tenures: usize,
    /// Tenures whose end is not told, although the shard had another owner later.
    pub(super) open: usize,
    /// Ends whose beginning is not told.
    pub(super) stray: usize,
    pub(super) faults: Vec<Fault>,
    pub(super) gaps: Vec<Gap>,
}

/// What follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Finding {
    /// No two owners overlapped, and every epoch grew.
    Proven,
    /// The same, as far as ends are told; some are not.
    Open,
    /// Two owners overlapped, or an epoch did not grow.
    Refuted,
    /// Nothing is told of which that could be said.
    Nothing,
}

impl Verdict {
    pub(super) fn finding(&self) -> Finding {
        match (self.tenures, self.faults.is_empty(), self.open) {
            (0, _, _) => Finding::Nothing,
            (_, false, _) => Finding::Refuted,
            (_, true, 0) => Finding::Proven,
            (_, true, _) => Finding::Open,
        }
    }

    pub(super) fn new(shards: usize) -> Self {
        Self { shards, tenures: 0, open: 0, stray: 0, faults: Vec::new(), gaps: Vec::new() }
    }

    /// The times without an owner of all moves between members, ascending.
    fn moves(&self) -> Vec<i64> {
        let mut moves: Vec<i64> =
            self.gaps.iter().filter(|gap| gap.between_members).map(|gap| gap.us).collect();
        moves.sort_unstable();
        moves
    }

    pub(super) fn json(&self) -> String {
        let moves = self.moves();
        let summary = Summary {
            finding: self.finding(),
            refuted: self.finding() == Finding::Refuted,
            shards: self.shards,
            tenures: self.tenures,
            open: self.open,
            moves: moves.len(),
            unowned_us: Unowned {
                p50: within(&moves, 50),
                p99: within(&moves, 99),
                max: within(&moves, 100),
            },
            faults: self.faults.iter().map(tell).collect(),
        };
        format::json_lines(&summary)
    }
}

#[derive(Serialize)]
struct Summary {
    finding: Finding,
    refuted: bool,
    shards: usize,
    tenures: usize,
    open: usize,
    moves: usize,
    unowned_us: Unowned,
    faults: Vec<String>,
}

/// Times without an owner at moves between members; null if there was none.
#[derive(Serialize)]
struct Unowned {
    p50: Option<i64>,
    p99: Option<i64>,
    max: Option<i64>,
}

/// The report for people.
pub(super) fn report(verdict: &Verdict, paint: Paint) -> String {
    let mut text = format!(
        "{} of {}\n",
        format::count(verdict.tenures, "tenure"),
        format::count(verdict.shards, "shard")
    );
    text.push_str(&moves(&verdict.moves()));
    if verdict.open > 0 {
        let open = format::count(verdict.open, "tenure");
        text.push_str(&format!("{open} without an end: nobody can tell when; were all files named?\n"));
    }
    if verdict.stray > 0 {
        let stray = format::count(verdict.stray, "end");
        text.push_str(&format!("{stray} without a beginning: the files begin later than the cluster\n"));
    }
    for fault in &verdict.faults {
        text.push_str(&format!("\n{}\n", tell(fault)));
    }
    format!("{text}\n{}\n", concluded(verdict.finding(), paint))
}

fn concluded(finding: Finding, paint: Paint) -> String {
    match finding {
        Finding::Proven => paint.good("Proven: no two owners overlapped, and every epoch grew."),
        Finding::Open => paint.bold("Not refuted; not proven where an end is missing."),
        Finding::Refuted => paint.bad("Refuted: a shard had two owners, or an epoch did not grow."),
        Finding::Nothing => paint
            .bold("Nothing to prove: no tenure is told of; name files that members wrote with --history."),
    }
}

fn moves(moves: &[i64]) -> String {
    let told = |percent| within(moves, percent).map(|us| format::span(Duration::from_micros(us as u64)));
    match (told(50), told(99), told(100)) {
        (Some(median), Some(most), Some(max)) => format!(
            "{} between members; without an owner p50 {median}, p99 {most}, max {max}\n",
            format::count(moves.len(), "move")
        ),
        _ => "no move between members\n".into(),
    }
}

/// The value that so many percent do not exceed.
fn within(ascending: &[i64], percent: usize) -> Option<i64> {
    let rank = (ascending.len() * percent).div_ceil(100);
    ascending.get(rank.checked_sub(1)?).copied()
}

fn tell(fault: &Fault) -> String {
    match fault {
        Fault::Overlap { before, after, us } => format!(
            "shard {}: two owners for {}\n  {}\n  {}",
            before.shard,
            format::span(Duration::from_micros(*us as u64)),
            line(before),
            line(after)
        ),
        Fault::Epoch(before, after) => format!(
            "shard {}: epoch {} came after epoch {}\n  {}\n  {}",
            before.shard,
            after.epoch,
            before.epoch,
            line(before),
            line(after)
        ),
    }
}

fn line(tenure: &Tenure) -> String {
    let ended = tenure.ended.as_ref().map_or_else(|| "?".into(), |end| clock_time(end.wall_ms));
    let (member, life, epoch) = (&tenure.member, &tenure.incarnation, tenure.epoch);
    format!("{member}#{life} at epoch {epoch}: {} to {ended}", clock_time(tenure.began.wall_ms))
}
