//! Runs one seed, from its first draw to its verdict.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tenure_core::flawed::Flaw;

use crate::clock::Nanos;
use crate::invariant::i7;
use crate::log::Log;
use crate::oracle::Violation;
use crate::world::{Mutant, World, WorldFlaw};

/// Which rule is broken on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// A rule of the machine.
    Core(Flaw),
    /// A rule that the machine's surroundings must keep.
    World(WorldFlaw),
}

impl Bug {
    /// Every bug that can be seeded.
    pub fn all() -> impl Iterator<Item = Self> {
        let core = Flaw::ALL.iter().copied().map(Self::Core);
        core.chain(WorldFlaw::ALL.into_iter().map(Self::World))
    }

    /// The bug with this short name.
    pub fn by_code(code: &str) -> Option<Self> {
        Self::all().find(|bug| bug.code().eq_ignore_ascii_case(code))
    }

    /// The short name.
    pub fn code(self) -> &'static str {
        match self {
            Self::Core(flaw) => flaw.code(),
            Self::World(flaw) => flaw.code(),
        }
    }

    /// What the bug does, in one line.
    pub fn text(self) -> &'static str {
        match self {
            Self::Core(flaw) => flaw.text(),
            Self::World(flaw) => flaw.text(),
        }
    }
}

impl From<Option<Bug>> for Mutant {
    fn from(bug: Option<Bug>) -> Self {
        match bug {
            None => Self::Healthy,
            Some(Bug::Core(flaw)) => Self::Core(flaw),
            Some(Bug::World(flaw)) => Self::World(flaw),
        }
    }
}

/// Runs `seed` without a log: the promise it broke, if any.
pub fn run(seed: u64, bug: Option<Bug>) -> Option<Violation> {
    run_until(seed, bug, Nanos::MAX, &mut Log::off())
}

/// Runs `seed` up to `until` with `log`.
pub fn run_until(seed: u64, bug: Option<Bug>, until: Nanos, log: &mut Log) -> Option<Violation> {
    let caught = catch_unwind(AssertUnwindSafe(|| World::new(seed, bug.into(), log).run(until)));
    caught.unwrap_or_else(|panic| Some(panicked(&*panic)))
}

pub(crate) fn panicked(panic: &(dyn std::any::Any + Send)) -> Violation {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let message = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let (invariant, text) = i7::panicked(message).expect_err("a panic is a violation");
    Violation { invariant, at: 0, text }
}
