//! The shape of a seed's cluster: how many members and shards, which durations, how wrong its clocks may be.

use std::time::Duration;
use tenure_core::config::{OnStuck, Restart};
use tenure_core::moment::Timing;
use tenure_core::plan::Placement;

use crate::chance::Chance;
use crate::clock::Nanos;

/// One second of virtual time.
pub(crate) const SECOND: Nanos = 1_000_000_000;

/// The lease that most members have.
const TTL: Duration = Duration::from_secs(10);

/// So many seeds in ten thousand have a large cluster.
const LARGE: u32 = 300;

/// So many seeds in ten thousand have members with other settings than the others, and after a restart than before.
const MIXED: u32 = 2_500;

/// What a process is told by its settings, and another one of its member need not be.
#[derive(Clone, Debug)]
pub(crate) struct Habit {
    pub(crate) timing: Timing,
    pub(crate) weight: u32,
}

/// How far clocks may be wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift {
    /// ρ, in millionths.
    pub(crate) ppm: i64,
    /// Whether clocks are as wrong as they may be.
    pub(crate) tight: bool,
    /// Whether their rates change, and they jump and halt.
    pub(crate) restless: bool,
}

/// The shape of one cluster.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// How many members may run.
    pub(crate) members: usize,
    /// How many of them start at the beginning.
    pub(crate) founders: usize,
    pub(crate) shards: u32,
    pub(crate) page_size: u32,
    /// By member, the settings of its first process, of its second, and so on, in turn.
    pub(crate) habits: Vec<Vec<Habit>>,
    pub(crate) ttl_max: Duration,
    pub(crate) placement: Placement,
    pub(crate) spread_zones: bool,
    pub(crate) on_stuck: OnStuck,
    pub(crate) drift: Drift,
    /// The member whose clock is worse than ρ allows.
    pub(crate) faulty: Option<usize>,
}

impl Shape {
    /// Draws a shape; a `tight` one has hardly any margin against drift.
    pub(crate) fn draw(chance: &mut Chance, tight: bool) -> Self {
        let (members, shards, page_size) = size(chance);
        let ppm = if tight { 100_000 } else { chance.pick(&[10_000, 10_000, 10_000, 50_000]) };
        let drift = Drift { ppm, tight, restless: chance.in_10k(2_500) };
        let mixed = chance.in_10k(MIXED);
        let habits: Vec<Vec<Habit>> = (0..members).map(|_| habits(chance, drift, mixed)).collect();
        let longest = habits.iter().flatten().map(|habit| habit.timing.ttl).max().unwrap_or(TTL);
        Self {
            members,
            founders: 1 + chance.place(members),
            shards,
            page_size,
            habits,
            ttl_max: longest.mul_f64(chance.pick(&[1.0, 1.5, 2.0])),
            placement: placement(chance),
            spread_zones: chance.in_10k(1_000),
            on_stuck: if chance.in_10k(2_000) { OnStuck::Wait } else { OnStuck::Abort },
            drift,
            faulty: None,
        }
    }

    /// The longest lease of any member, in nanoseconds.
    pub(crate) fn ttl(&self) -> Nanos {
        self.ttls().max().unwrap_or(SECOND)
    }

    /// The shortest lease of any member, in nanoseconds.
    pub(crate) fn shortest_ttl(&self) -> Nanos {
        self.ttls().min().unwrap_or(SECOND)
    }

    fn ttls(&self) -> impl Iterator<Item = Nanos> {
        self.habits.iter().flatten().map(|habit| habit.timing.ttl.as_nanos() as u64)
    }

    /// The zone that a member runs in.
    pub(crate) fn zone(&self, member: usize) -> Option<String> {
        self.spread_zones.then(|| format!("z{}", member % 2))
    }

    /// How work that failed is started again, under a lease of `ttl`.
    pub(crate) fn restart(&self, ttl: Duration) -> Restart {
        let first = Duration::from_millis(100);
        Restart { first, longest: ttl / 8, hand_on_after: 3, forgiven_after: ttl }
    }

    /// The settings of the `nth` process of `member`, counted from zero.
    pub(crate) fn habit(&self, member: usize, nth: usize) -> &Habit {
        let habits = &self.habits[member];
        &habits[nth % habits.len()]
    }
}

/// Members, shards, and shards on a page.
fn size(chance: &mut Chance) -> (usize, u32, u32) {
    if chance.in_10k(LARGE) {
        return (5 + chance.place(4), chance.pick(&[24, 40, 64]), chance.pick(&[16, 16, 64]));
    }
    let members = 2 + chance.weighed(&[(0, 4), (1, 4), (2, 2)]).unwrap_or_default();
    let shards = chance.weighed(&[(1, 4), (2, 3), (3, 3), (5, 2), (8, 2), (12, 1)]).unwrap_or(1);
    (members, shards, chance.pick(&[3, 3, 64]))
}

fn placement(chance: &mut Chance) -> Placement {
    let all =
        [(Placement::Rendezvous, 5), (Placement::Ring, 2), (Placement::Ranges, 2), (Placement::External, 1)];
    chance.weighed(&all).unwrap_or_default()
}

fn habits(chance: &mut Chance, drift: Drift, mixed: bool) -> Vec<Habit> {
    let count = if mixed { 1 + chance.place(3) } else { 1 };
    (0..count).map(|_| habit(chance, drift, mixed)).collect()
}

fn habit(chance: &mut Chance, drift: Drift, mixed: bool) -> Habit {
    let share = if mixed { chance.pick(&[0.25, 0.5, 1.0, 1.0]) } else { 1.0 };
    Habit { timing: timing(chance, drift, TTL.mul_f64(share)), weight: chance.pick(&[1, 1, 1, 2]) }
}

fn timing(chance: &mut Chance, drift: Drift, ttl: Duration) -> Timing {
    let margin = if drift.tight { ttl / 50 } else { ttl / 4 };
    Timing {
        drift: drift.ppm as f64 / 1e6,
        margin,
        slack: if drift.tight { ttl / 200 } else { ttl / 20 },
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
            for Habit { timing, .. } in shape.habits.iter().flatten() {
                timing.validate().unwrap();
                assert!(timing.ttl <= shape.ttl_max);
            }
        }
    }
}
