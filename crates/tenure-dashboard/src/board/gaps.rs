//! Times without an owner, each kind for itself: a planned move takes a moment and a lease that must run out takes seconds, and
//! what is computed of both together is true of neither.

use std::collections::VecDeque;

use crate::view::{Bounds, Gaps, Handovers, Kind};

/// Of so many of each kind the shares are computed.
const GAPS_MAX: usize = 20_000;

/// The times of one kind.
#[derive(Clone, Debug, Default)]
struct Times {
    seen_ms: VecDeque<u64>,
    most_ms: VecDeque<u64>,
}

/// The last times of every kind.
#[derive(Clone, Debug, Default)]
pub(super) struct GapLog {
    moves: Times,
    proof: Times,
    silence: Times,
}

impl GapLog {
    /// A shard was without an owner for so long, as seen and at most.
    pub(super) fn add(&mut self, kind: Kind, seen_ms: Option<u64>, most_ms: u64) {
        let times = match kind {
            Kind::Moves => &mut self.moves,
            Kind::Proof => &mut self.proof,
            Kind::Silence => &mut self.silence,
        };
        remember(&mut times.seen_ms, seen_ms);
        remember(&mut times.most_ms, Some(most_ms));
    }

    /// All of them, in figures.
    pub(super) fn handovers(&self) -> Handovers {
        let [moves, proof, silence] = [&self.moves, &self.proof, &self.silence].map(bounds);
        Handovers { moves, proof, silence }
    }
}

fn remember(gaps: &mut VecDeque<u64>, gap: Option<u64>) {
    gaps.extend(gap);
    let beyond = gaps.len().saturating_sub(GAPS_MAX);
    gaps.drain(..beyond);
}

fn bounds(times: &Times) -> Bounds {
    Bounds { seen: figures(&times.seen_ms), most: figures(&times.most_ms) }
}

fn figures(gaps: &VecDeque<u64>) -> Gaps {
    let gaps: Vec<u64> = gaps.iter().copied().collect();
    Gaps {
        count: gaps.len(),
        p50_ms: share(&gaps, 0.5),
        p99_ms: share(&gaps, 0.99),
        max_ms: gaps.iter().max().copied(),
    }
}

/// The least value that so great a share of all is not greater than.
pub(super) fn share(values: &[u64], share: f64) -> Option<u64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}
