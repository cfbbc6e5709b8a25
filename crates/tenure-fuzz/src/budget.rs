//! How long a target is run: a fixed number of times in an ordinary test, a time in a long run.

use std::env;
use std::time::{Duration, Instant};

/// The variable that gives each target so many milliseconds, instead of a fixed number of runs.
pub const MILLIS: &str = "TENURE_FUZZ_MILLIS";

/// The variable that sets the seed.
pub const SEED: &str = "TENURE_FUZZ_SEED";

/// What is left to spend.
#[derive(Debug)]
pub(crate) enum Budget {
    Runs(u64),
    Until(Instant),
}

impl Budget {
    /// What the environment says; else so many runs.
    pub(crate) fn of_environment(runs: u64) -> Self {
        match number(MILLIS) {
            Some(millis) => Self::Until(Instant::now() + Duration::from_millis(millis)),
            None => Self::Runs(runs),
        }
    }

    /// Whether one more is to be run.
    pub(crate) fn spend(&mut self) -> bool {
        match self {
            Self::Runs(left) => {
                let more = *left > 0;
                *left = left.saturating_sub(1);
                more
            }
            Self::Until(end) => Instant::now() < *end,
        }
    }
}

/// The seed of a run: the same in every ordinary one.
pub(crate) fn seed() -> u64 {
    number(SEED).unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}
