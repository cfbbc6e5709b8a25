//! How well it goes: small series over the last minutes.

use std::collections::BTreeMap;

use serde::Serialize;

/// What `GET /api/v1/health` answers; the event `health` is the same with the last point alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Health {
    /// When this was put together.
    pub at_ms: u64,
    /// The time that one point stands for.
    pub step_ms: u64,
    /// The points, oldest first.
    pub points: Points,
    /// Times without an owner, over all that is remembered.
    pub gaps: Handovers,
    /// Shards without an owner now.
    pub unowned: u32,
    /// For each member that renews, by place.
    pub members: Vec<MemberHealth>,
    /// In `tenure up`: what the members' work itself wrote down.
    pub measured: Option<Measured>,
}

/// Parallel arrays, one number for each step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Points {
    /// When the step began.
    pub at_ms: Vec<u64>,
    /// Renewals seen.
    pub renewals: Vec<u64>,
    /// The least time that was left of a lease at its renewal, as seen; null if nothing was renewed.
    pub left_ms_min: Vec<Option<u64>>,
    /// The median of the same.
    pub left_ms_p50: Vec<Option<u64>>,
    /// Renewals that came so late that at least one before them must have failed, as seen.
    pub late: Vec<u64>,
    /// Renewals that failed, by the word of the members in this process; null where there is none.
    pub keepalive_failures: Vec<Option<u64>>,
    /// Tenures that ended as planned.
    pub moves: Vec<u64>,
    /// Tenures that ended otherwise.
    pub losses: Vec<u64>,
    /// The most shards without an owner at any one look.
    pub unowned_max: Vec<u32>,
    /// The longest time without an owner at a planned move, at most; null if there was none.
    pub gap_ms_moves: Vec<Option<u64>>,
    /// The same after proof that an owner was dead.
    pub gap_ms_proof: Vec<Option<u64>>,
    /// The same after an owner's silence.
    pub gap_ms_silence: Vec<Option<u64>>,
    /// The dashboard's own calls to the store, by outcome: `answered`, `conflict`, `unavailable`, `indeterminate`,
    /// `denied`, `invalid`, `incompatible`, `dropped`. An outcome that never happened is left out.
    pub store_calls: BTreeMap<&'static str, Vec<u64>>,
    /// The mean time of those calls; null if there were none.
    pub store_ms_mean: Vec<Option<f64>>,
}

/// Times without an owner, by what the next owner had to wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Handovers {
    /// At planned moves, for nothing.
    pub moves: Bounds,
    /// For proof that the owner was dead.
    pub proof: Bounds,
    /// For the end of the lease of an owner that was silent.
    pub silence: Bounds,
}

/// What can be known by looking: the truth is in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Bounds {
    /// As looks had shown it.
    pub seen: Gaps,
    /// At most: since the last sign of the owner before.
    pub most: Gaps,
}

/// Times of which some are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Gaps {
    /// How many.
    pub count: usize,
    /// The median.
    pub p50_ms: Option<u64>,
    /// The time within which 99 of 100 are.
    pub p99_ms: Option<u64>,
    /// The longest.
    pub max_ms: Option<u64>,
}

/// One member's renewals, as seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MemberHealth {
    /// Its place.
    pub index: u32,
    /// Renewals seen.
    pub renewals: u64,
    /// What was left of the lease at the last renewal, as seen; null before the second one.
    pub left_ms: Option<u64>,
    /// Renewals that came so late that one before them must have failed.
    pub late: u64,
}

/// What work wrote down about itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Tenures so far.
    pub tenures: u64,
    /// Times at which two worked for one shard: none, ever.
    pub overlaps: u64,
    /// After proof that an owner was dead.
    pub after_proof: Times,
    /// After an owner's silence, for its whole lease.
    pub after_silence: Times,
    /// At a planned move.
    pub moves: Times,
}

/// Times without an owner, as measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// How many.
    pub count: u64,
    /// The median.
    pub median_ms: f64,
    /// The longest.
    pub longest_ms: f64,
}
