//! Unpredictable bits for a machine that may not ask the system for them.

use xxhash_rust::xxh3::xxh3_128_with_seed;

/// A stream of bits that depends on its seed alone: the driver seeds it from the system, the simulator from a number.
#[derive(Clone, Debug)]
pub struct Entropy {
    seed: u128,
    drawn: u64,
}

impl Entropy {
    /// A stream that begins at `seed`.
    pub fn new(seed: u128) -> Self {
        Self { seed, drawn: 0 }
    }

    /// The next 128 bits.
    pub fn bits(&mut self) -> u128 {
        self.drawn += 1;
        xxh3_128_with_seed(&self.seed.to_le_bytes(), self.drawn)
    }

    /// A share between zero and one, for jitter.
    pub fn share(&mut self) -> f64 {
        (self.bits() as u64 >> 11) as f64 / (1u64 << 53) as f64
    }
}
