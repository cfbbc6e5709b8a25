//! The shape of a seed's cluster: how many members and shards, which durations, which clocks.

use std::time::Duration;

use tenure_core::member::OnStuck;
use tenure_core::moment::Timing;
use tenure_core::plan::Placement;

use super::Chance;
use crate::clock::{Clock, Nanos};

/// One second of virtual time.
pub(crate) const SECOND: Nanos = 1_000_000_000;

/// The lease that most members have.
const TTL: Duration = Duration::from_secs(10);

/// The shape of one cluster.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// How many members may run.
    pub(crate) members: usize,
    /// How many of them start at the beginning.
    pub(crate) founders: usize,
    pub(crate) shards: u32,
    pub(crate) page_size: u32,
    /// Every member's own durations.
    pub(crate) timing: Vec<Timing>,
    pub(crate) weight: Vec<u32>,
    pub(crate) ttl_max: Duration,
    pub(crate) placement: Placement,
    pub(crate) spread_zones: bool,
    pub(crate) on_stuck: OnStuck,
    /// Whether margins are small and clocks as wrong as they may be.
    pub(crate) tight: bool,
    /// ρ, in millionths.
    pub(crate) drift_ppm: i64,
    /// The member whose clock is worse than ρ allows.
    pub(crate) faulty: Option<usize>,
}

impl Shape {
    /// Draws a shape; a `tight` one has hardly any margin against drift.
    pub(crate) fn draw(chance: &mut Chance, tight: bool) -> Self {
        let members = 2 + chance.weighed(&[(0, 4), (1, 4), (2, 2)]).unwrap_or_default();
        let drift_ppm = if tight { 100_000 } else { chance.pick(&[10_000, 10_000, 10_000, 50_000]) };
        let mixed = chance.in_10k(1_500);
        let timing: Vec<Timing> = (0..members).map(|_| timing(chance, drift_ppm, tight, mixed)).collect();
        let longest = timing.iter().map(|timing| timing.ttl).max().unwrap_or(TTL);
        let shards = chance.weighed(&[(1, 4), (2, 3), (3, 3), (5, 2), (8, 2), (12, 1)]).unwrap_or(1);
        Self {
            members,
            founders: 1 + chance.place(members),
            shards,
            page_size: chance.pick(&[3, 3, 64]),
            timing,
            weight: (0..members).map(|_| chance.pick(&[1, 1, 1, 2])).collect(),
            ttl_max: longest.mul_f64(chance.pick(&[1.0, 1.5, 2.0])),
            placement: placement(chance),
            spread_zones: chance.in_10k(1_000),
            on_stuck: if chance.in_10k(2_000) { OnStuck::Wait } else { OnStuck::Abort },
            tight,
            drift_ppm,
            faulty: None,
        }
    }

    /// The longest lease of any member, in nanoseconds.
    pub(crate) fn ttl(&self) -> Nanos {
        self.timing.iter().map(|timing| timing.ttl.as_nanos() as u64).max().unwrap_or(SECOND)
    }

    /// The clock of a machine on which `member` starts.
    pub(crate) fn clock(&self, member: usize, chance: &mut Chance) -> Clock {
        let honest = self.drift_ppm - self.drift_ppm / 1_000;
        let ppm = match chance.place(if self.tight { 2 } else { 4 }) {
            0 => honest,
            1 => -honest,
            2 => 0,
            _ => chance.below(2 * honest as u64) as i64 - honest,
        };
        let ppm = if self.faulty == Some(member) { chance.pick(&[-300_000, 300_000]) } else { ppm };
        Clock::new(chance.span((SECOND, 1_000 * SECOND)), ppm)
    }
}

fn placement(chance: &mut Chance) -> Placement {
    let all =
        [(Placement::Rendezvous, 5), (Placement::Ring, 2), (Placement::Ranges, 2), (Placement::External, 1)];
    chance.weighed(&all).unwrap_or_default()
}

fn timing(chance: &mut Chance, drift_ppm: i64, tight: bool, mixed: bool) -> Timing {
    let ttl = if mixed { TTL.mul_f64(chance.pick(&[0.5, 1.0, 1.0])) } else { TTL };
    let margin = if tight { ttl / 50 } else { ttl / 4 };
    Timing {
        drift: drift_ppm as f64 / 1e6,
        margin,
        slack: if tight { ttl / 200 } else { ttl / 20 },
        abort_limit: margin / 2,
        acquire_retry_interval: ttl / chance.pick(&[50, 20, 20]),
        drain_limit: ttl / chance.pick(&[4, 2, 1]),
        leave_limit: ttl * chance.pick(&[1, 2, 3]),
        ..Timing::for_ttl(ttl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_obeys_the_inequalities() {
        for seed in 0..500 {
            let shape = Shape::draw(&mut Chance::new(seed), seed % 2 == 0);
            for timing in &shape.timing {
                timing.validate().unwrap();
                assert!(timing.ttl <= shape.ttl_max);
            }
        }
    }
}
