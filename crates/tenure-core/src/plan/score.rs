//! How much a shard and a member suit each other, by hash.
//!
//! A plan of 100,000 shards for 1,000 members asks this a hundred million times, so names are hashed once (xxh3) into
//! marks, and two marks meet in one widening multiplication, which compilers turn into vector code on any machine.
//! Names that differ in one digit share nothing in their marks; a weaker mix lets one of `name-0 … name-n` win half
//! of everything.

use xxhash_rust::xxh3::xxh3_64;

use crate::ids::MemberId;

/// The hash of a member or a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) left: u32,
    pub(super) right: u32,
}

impl Mark {
    pub(super) fn of_member(id: &MemberId) -> Self {
        Self::split(xxh3_64(id.as_str().as_bytes()))
    }

    pub(super) fn of_shard(shard: u32) -> Self {
        Self::split(xxh3_64(&shard.to_le_bytes()))
    }

    fn split(hash: u64) -> Self {
        Self { left: (hash >> 32) as u32, right: hash as u32 }
    }

    /// The score of two marks, uniform over all of `i32`. Signed, because baseline x86-64 compares only signed lanes.
    #[inline(always)]
    pub(super) fn meet(self, other: Self) -> i32 {
        let product = u64::from(self.left ^ other.left) * u64::from(self.right ^ other.right);
        ((product >> 32) ^ product) as u32 as i32
    }
}

/// How late a score arrives in a race of equals: −log₂ of the score as a fraction of the best, in units of 2⁻²⁷.
///
/// Divided by weights, these are the arrival times of independent exponential clocks, and the first of those to ring
/// does so with a chance proportional to its weight: that is all there is to weighted rendezvous.
pub(super) fn lateness(score: i32) -> u64 {
    let value = u64::from(score as u32 ^ 0x8000_0000) + 1;
    (32 << UNIT_BITS) - log2(value)
}

const UNIT_BITS: u32 = 27;
const STEPS_BITS: u32 = 8;
const STEPS: usize = 1 << STEPS_BITS;

/// log₂ of a positive number, in units of 2⁻²⁷, by a table and straight lines between its entries.
fn log2(value: u64) -> u64 {
    let whole = value.ilog2();
    let fraction = (value << (63 - whole)) << 1;
    let step = (fraction >> (64 - STEPS_BITS)) as usize;
    let beyond = (fraction << STEPS_BITS) >> 32;
    let slope = LOG2[step + 1] - LOG2[step];
    (u64::from(whole) << UNIT_BITS) + LOG2[step] + ((slope * beyond) >> 32)
}

/// log₂(1 + i/256) in units of 2⁻²⁷.
static LOG2: [u64; STEPS + 1] = {
    let mut table = [0; STEPS + 1];
    let mut step = 0;
    while step < STEPS {
        table[step] = log2_of_step(step as u128);
        step += 1;
    }
    table[STEPS] = 1 << UNIT_BITS;
    table
};

/// Bit by bit: squaring a number doubles its logarithm, and a doubled logarithm of 1 or more shows the next bit.
const fn log2_of_step(step: u128) -> u64 {
    let mut x = (STEPS as u128 + step) << (62 - STEPS_BITS);
    let mut log = 0;
    let mut bit = 0;
    while bit < UNIT_BITS {
        x = (x * x) >> 62;
        let one = (x >> 63) as u64;
        x >>= one;
        log = (log << 1) | one;
        bit += 1;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_exact_at_powers_of_two() {
        for power in 0..33 {
            assert_eq!(log2(1 << power), u64::from(power as u32) << UNIT_BITS);
        }
    }

    #[test]
    fn the_logarithm_is_near_the_true_one_and_never_falls() {
        let mut last = 0;
        for value in (1..1_u64 << 32).step_by(999_983) {
            let log = log2(value);
            let truth = (value as f64).log2();
            assert!((log as f64 / f64::from(1 << UNIT_BITS) - truth).abs() < 4e-6, "{value}");
            assert!(log >= last, "{value}");
            last = log;
        }
    }

    #[test]
    fn the_best_score_is_not_late_at_all_and_the_worst_is_the_latest() {
        assert_eq!(lateness(i32::MAX), 0);
        assert_eq!(lateness(i32::MIN), 32 << UNIT_BITS);
    }
}
