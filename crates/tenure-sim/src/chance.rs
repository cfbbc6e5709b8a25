//! Draws from a seed.

use fastrand::Rng;

use crate::clock::Nanos;

/// The one source of chance in a run: everything that a seed decides is drawn from here, in order.
#[derive(Clone, Debug)]
pub(crate) struct Chance(Rng);

impl Chance {
    /// The draws of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Whether something that happens `share` times in ten thousand happens now.
    pub(crate) fn in_10k(&mut self, share: u32) -> bool {
        share > 0 && self.0.u32(0..10_000) < share
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0.u64(0..end.max(1))
    }

    /// A place in something of `len` parts.
    pub(crate) fn place(&mut self, len: usize) -> usize {
        self.0.usize(0..len.max(1))
    }

    /// A span of time between two bounds.
    pub(crate) fn span(&mut self, (least, most): (Nanos, Nanos)) -> Nanos {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// One of several.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.place(from.len())]
    }

    /// 128 bits.
    pub(crate) fn bits(&mut self) -> u128 {
        self.0.u128(..)
    }

    /// One of several, by weight; `None` if all weights are zero.
    pub(crate) fn weighed<T: Copy>(&mut self, from: &[(T, u32)]) -> Option<T> {
        let total: u32 = from.iter().map(|(_, weight)| weight).sum();
        if total == 0 {
            return None;
        }
        let mut left = self.0.u32(0..total);
        for (what, weight) in from {
            if left < *weight {
                return Some(*what);
            }
            left -= weight;
        }
        None
    }
}
