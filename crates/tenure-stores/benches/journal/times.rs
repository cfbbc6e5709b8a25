//! How long something took, many times.

use std::fmt;
use std::time::Duration;

/// Times in order.
pub(super) struct Times(Vec<Duration>);

impl Times {
    pub(super) fn of(mut taken: Vec<Duration>) -> Self {
        taken.sort_unstable();
        Self(taken)
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    fn at(&self, share: f64) -> Duration {
        self.0
            .get(((self.0.len().saturating_sub(1)) as f64 * share).round() as usize)
            .copied()
            .unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p50 {:.1?}, p99 {:.1?} ({} samples)", self.at(0.5), self.at(0.99), self.0.len())
    }
}
