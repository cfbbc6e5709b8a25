//! The clocks of a seed: each within ρ over the length of a lease, or beyond it where the seed wants a faulty one.

use super::{SECOND, Shape};
use crate::chance::Chance;
use crate::clock::{Clock, Nanos};

/// How often a clock changes its ways at most.
const MOST_CHANGES: usize = 6;

impl Shape {
    /// The clock of a machine on which `member` starts a process at `now`.
    pub(crate) fn clock(&self, member: usize, now: Nanos, chance: &mut Chance) -> Clock {
        let offset = chance.span((SECOND, 1_000 * SECOND));
        if self.faulty == Some(member) {
            return Clock::new(offset, chance.pick(&[-300_000, 300_000]));
        }
        let honest = self.drift.ppm - self.drift.ppm / 1_000;
        match chance.place(if self.drift.restless { 3 } else { 1 }) {
            0 => Clock::new(offset, self.rate(honest, chance)),
            1 => self.changing(offset, now, honest, chance),
            _ => self.stepping(offset, now, honest, chance),
        }
    }

    fn rate(&self, most: i64, chance: &mut Chance) -> i64 {
        match chance.place(if self.drift.tight { 2 } else { 4 }) {
            0 => most,
            1 => -most,
            2 => 0,
            _ => chance.below(2 * most as u64) as i64 - most,
        }
    }

    /// One whose rate changes, and is within ρ at all times.
    fn changing(&self, offset: u64, now: Nanos, honest: i64, chance: &mut Chance) -> Clock {
        let mut clock = Clock::new(offset, self.rate(honest, chance));
        let mut at = now;
        for _ in 0..chance.place(MOST_CHANGES) {
            at += chance.span((self.shortest_ttl() / 4, 4 * self.ttl()));
            clock.bend(at, self.rate(honest, chance));
        }
        clock
    }

    /// One that jumps and halts: by so little and so seldom that it is within ρ over two thirds of any lease.
    fn stepping(&self, offset: u64, now: Nanos, honest: i64, chance: &mut Chance) -> Clock {
        let mut clock = Clock::new(offset, self.rate(honest / 2, chance));
        let most = self.shortest_ttl() / 3_000_000 * honest as u64;
        let mut at = now;
        for _ in 0..chance.place(MOST_CHANGES) {
            at += chance.span((2 * self.ttl(), 6 * self.ttl()));
            let span = chance.span((most / 2, most));
            match chance.in_10k(5_000) {
                true => clock.jump(at, span),
                false => clock.halt(at, span),
            }
        }
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By how many millionths of `span` a clock is wrong at most, over any stretch of that length.
    fn error(clock: &Clock, span: Nanos, until: Nanos) -> i64 {
        let shown = |at| clock.read(at).as_nanos() as i64;
        let wrong =
            |at: Nanos| ((shown(at + span) - shown(at) - span as i64).abs()) / (span / 1_000_000) as i64;
        (0..until).step_by((span / 50) as usize).map(wrong).max().unwrap()
    }

    #[test]
    fn every_healthy_clock_is_within_the_drift_over_two_thirds_of_any_lease() {
        for seed in 0..200 {
            let mut chance = Chance::new(seed);
            let shape = Shape::draw(&mut chance, seed % 2 == 0);
            let clock = shape.clock(0, 0, &mut chance);
            let wrong = error(&clock, shape.shortest_ttl() / 3 * 2, 30 * shape.ttl());
            assert!(wrong <= shape.drift.ppm, "seed {seed}: {wrong} of {}", shape.drift.ppm);
        }
    }
}
