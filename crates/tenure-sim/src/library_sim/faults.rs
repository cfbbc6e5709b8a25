//! What a seed does to its processes and to their lines. Each seed draws which faults it has, and how often.

use std::time::Duration;

use tenure::{OnStuck, Placement, Settings};
use tenure_core::moment::TTL_FLOOR;

use super::bench::Manner;
use crate::chance::Chance;
use crate::clock::{Clock, Nanos};
use crate::surroundings::member_id;

/// A fault that strikes a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strike {
    Crash,
    Freeze,
    LongFreeze,
    Leave,
    Hurry,
    Start,
    Twin,
    Cut,
    Outage,
    /// The operator asks a member to hand its shards on, or no longer.
    Drain,
    /// The operator moves a shard.
    Move,
    /// The operator takes a member's record away from it.
    Fence,
    /// The operator deletes a member's record.
    Delete,
}

const STRIKES: [Strike; 13] = [
    Strike::Crash,
    Strike::Freeze,
    Strike::LongFreeze,
    Strike::Leave,
    Strike::Hurry,
    Strike::Start,
    Strike::Twin,
    Strike::Cut,
    Strike::Outage,
    Strike::Drain,
    Strike::Move,
    Strike::Fence,
    Strike::Delete,
];

/// How things are in one seed.
#[derive(Clone, Debug)]
pub(super) struct FaultProfile {
    pub(super) members: usize,
    pub(super) shards: u32,
    pub(super) placement: Placement,
    /// The longest lease of any process.
    pub(super) ttl: Nanos,
    /// The leases that processes have, each its own.
    pub(super) ttls: Vec<Nanos>,
    /// The longest lease that any process may have.
    pub(super) ttl_max: Nanos,
    pub(super) on_stuck: OnStuck,
    /// How far clocks may be off, in millionths.
    pub(super) drift_ppm: i64,
    /// Whether clocks change their rates.
    pub(super) restless: bool,
    /// Whether deaths are proven.
    pub(super) proofs: bool,
    /// How long a message takes at most.
    pub(super) latency: Nanos,
    /// In ten thousand: refused, lost on the way there, lost on the way back, late.
    pub(super) refused: u32,
    pub(super) lost: u32,
    pub(super) answer_lost: u32,
    pub(super) late: u32,
    /// Conflict reported for one's own write.
    pub(super) own_conflict: u32,
    /// How old a listing may be.
    pub(super) stale: Nanos,
    /// How many hints arrive, and whether they bring the record.
    pub(super) hints: u32,
    pub(super) hints_bring: bool,
    pub(super) strikes: Vec<(Strike, u32)>,
    /// The time between two of them, at most.
    pub(super) calm: Nanos,
    pub(super) manner: Manner,
}

impl FaultProfile {
    /// the faults of a seed.
    pub(super) fn draw(chance: &mut Chance) -> Self {
        let ttl = chance.pick(&[1_000_000_000, 3_000_000_000, 10_000_000_000]);
        let mut some =
            |most: u32| if chance.in_10k(5_000) { chance.below(u64::from(most)) as u32 } else { 0 };
        let (refused, lost, answer_lost, late, own_conflict) =
            (some(600), some(400), some(400), some(200), some(300));
        let fails = some(300);
        let strikes = STRIKES.map(|strike| (strike, some(10))).to_vec();
        Self {
            members: 1 + chance.place(4),
            shards: 1 + chance.below(8) as u32,
            placement: chance.pick(&[Placement::Rendezvous, Placement::Ring, Placement::Ranges]),
            ttl,
            ttls: ttls(chance, ttl),
            ttl_max: ttl * chance.pick(&[1, 2]),
            on_stuck: chance.pick(&[OnStuck::Wait, OnStuck::Abort]),
            drift_ppm: chance.pick(&[0, 1_000, 9_900]),
            restless: chance.in_10k(2_500),
            proofs: chance.in_10k(5_000),
            latency: chance.pick(&[ttl / 1_000, ttl / 200, ttl / 40]),
            refused,
            lost,
            answer_lost,
            late,
            own_conflict,
            stale: chance.pick(&[0, ttl / 20, ttl / 2]),
            hints: chance.pick(&[0, 5_000, 10_000]),
            hints_bring: chance.in_10k(5_000),
            strikes,
            calm: chance.pick(&[ttl / 2, ttl * 2]),
            manner: Manner {
                fails,
                lingers: Duration::from_nanos(chance.pick(&[ttl / 100, ttl / 4])),
                clings: Duration::from_nanos(chance.pick(&[0, ttl / 100, ttl / 20, ttl / 2])),
                pace: Duration::from_nanos(ttl / 20),
            },
        }
    }

    /// The clock of a process that starts at `now`.
    pub(super) fn clock(&self, now: Nanos, chance: &mut Chance) -> Clock {
        let drift = self.drift_ppm;
        let rate = |chance: &mut Chance| chance.below(2 * drift as u64 + 1) as i64 - drift;
        let mut clock = Clock::new(1_000_000_000 + chance.below(1 << 40), rate(chance));
        let mut at = now;
        for _ in 0..if self.restless { chance.place(6) } else { 0 } {
            at += chance.span((self.ttl / 4, self.ttl * 4));
            clock.bend(at, rate(chance));
        }
        clock
    }

    /// What a process of a member is told, whose lease lasts `ttl`.
    pub(super) fn settings(&self, member: usize, ttl: Nanos) -> Settings {
        let part = |parts: u64| Duration::from_nanos(ttl / parts);
        let mut settings = Settings::default();
        settings.cluster = "sim".into();
        settings.shards = self.shards;
        settings.member_id = Some(member_id(member).to_string());
        settings.lease_ttl = part(1);
        settings.placement = self.placement;
        settings.ledger_page_size = 3;
        settings.drain_limit = part(2);
        settings.lease_ttl_max = Some(Duration::from_nanos(self.ttl_max));
        settings.on_stuck = self.on_stuck;
        settings.restart_backoff = part(100);
        settings.restart_backoff_max = part(8);
        settings.restart_forgiven_after = part(1);
        settings
    }

    /// Everything works from now on.
    pub(super) fn clear(&mut self) {
        let quick = self.ttl / 1_000;
        let clings = self.manner.clings.min(Duration::from_nanos(self.ttl / 20));
        *self = Self {
            latency: self.latency.min(self.ttl / 200),
            refused: 0,
            lost: 0,
            answer_lost: 0,
            late: 0,
            own_conflict: 0,
            stale: 0,
            strikes: Vec::new(),
            manner: Manner { fails: 0, lingers: Duration::from_nanos(quick), clings, ..self.manner },
            ..self.clone()
        };
    }
}

/// In most seeds all leases are the same.
fn ttls(chance: &mut Chance, ttl: Nanos) -> Vec<Nanos> {
    let shares: &[u64] = if chance.in_10k(3_000) { &[1, 2, 4] } else { &[1] };
    shares.iter().map(|share| ttl / share).filter(|ttl| Duration::from_nanos(*ttl) >= TTL_FLOOR).collect()
}
