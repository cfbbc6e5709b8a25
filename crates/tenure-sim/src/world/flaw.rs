//! Seeded bugs outside the machine: in its driver, its clock or its store. The machine's own are in `tenure_core::flaw`.

use tenure_core::Rules;
use tenure_core::flawed::Flaw;

/// A way in which the surroundings of a machine may break the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldFlaw {
    /// The clock stands still while the process does.
    SuspendNotCounted,
    /// A witness takes a process that stands still for dead.
    SilenceIsProof,
    /// The driver says of a write whose time is over that it did not happen.
    TimeoutIsFailure,
    /// Versions count per key and begin anew after a removal.
    VersionsRepeat,
    /// The store does not look at the precondition of a write.
    UnconditionalStore,
    /// A client sends the creation of a record twice, and the second copy may come late.
    CreateSentTwice,
}

impl WorldFlaw {
    /// Every flaw.
    pub const ALL: [Self; 6] = [
        Self::SuspendNotCounted,
        Self::SilenceIsProof,
        Self::TimeoutIsFailure,
        Self::VersionsRepeat,
        Self::UnconditionalStore,
        Self::CreateSentTwice,
    ];

    /// The short name.
    pub fn code(self) -> &'static str {
        match self {
            Self::SuspendNotCounted => "M35",
            Self::SilenceIsProof => "S1",
            Self::TimeoutIsFailure => "S2",
            Self::VersionsRepeat => "S3",
            Self::UnconditionalStore => "S4",
            Self::CreateSentTwice => "S5",
        }
    }

    /// What the flaw does, in one line.
    pub fn text(self) -> &'static str {
        match self {
            Self::SuspendNotCounted => "the clock does not count suspend",
            Self::SilenceIsProof => "a process that stands still is reported dead",
            Self::TimeoutIsFailure => "a write whose time is over is reported as failed",
            Self::VersionsRepeat => "the store gives a version anew after a removal",
            Self::UnconditionalStore => "the store ignores preconditions",
            Self::CreateSentTwice => {
                "the creation of a record is sent twice, and the second copy lands after a deletion"
            }
        }
    }
}

/// Which rule is broken in a run, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// None.
    #[default]
    Healthy,
    /// One of the machine.
    Core(Flaw),
    /// One of its surroundings.
    World(WorldFlaw),
}

impl Mutant {
    /// What to tell the machines.
    pub(crate) fn rules(self) -> Rules {
        match self {
            Self::Core(flaw) => Rules::but(flaw),
            Self::Healthy | Self::World(_) => Rules::ALL,
        }
    }

    /// Whether the surroundings break this rule.
    pub(crate) fn is(self, flaw: WorldFlaw) -> bool {
        self == Self::World(flaw)
    }
}
