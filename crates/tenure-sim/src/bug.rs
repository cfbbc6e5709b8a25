//! Which rule a run breaks on purpose: one of the machine, of what surrounds it, of a member's helpers, or of the
//! journal.

use tenure_core::Rules;
use tenure_core::flawed::Flaw;
use tenure_core::journal;

use crate::supervisor_sim::HelperFlaw;

/// A way in which the surroundings of a machine may break the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideFlaw {
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
    /// A recovery does not wait for the leases of before.
    RecoveryHurries,
    /// A recovery raises no epochs.
    RecoveryRaisesNothing,
    /// A recovery closes no member's record.
    RecoveryClosesNobody,
}

impl OutsideFlaw {
    /// Every flaw.
    pub const ALL: [Self; 9] = [
        Self::SuspendNotCounted,
        Self::SilenceIsProof,
        Self::TimeoutIsFailure,
        Self::VersionsRepeat,
        Self::UnconditionalStore,
        Self::CreateSentTwice,
        Self::RecoveryHurries,
        Self::RecoveryRaisesNothing,
        Self::RecoveryClosesNobody,
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
            Self::RecoveryHurries => "S6",
            Self::RecoveryRaisesNothing => "S7",
            Self::RecoveryClosesNobody => "S8",
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
            Self::RecoveryHurries => "a recovery does not wait for the leases of before",
            Self::RecoveryRaisesNothing => "a recovery raises no epochs",
            Self::RecoveryClosesNobody => "a recovery closes no member's record",
        }
    }
}

/// Which rule is broken on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// A rule of the machine.
    Core(Flaw),
    /// A rule that the machine's surroundings must keep.
    Outside(OutsideFlaw),
    /// A rule of the helpers that hold a member's child processes.
    Helpers(HelperFlaw),
    /// A rule of the journal.
    Journal(journal::Flaw),
}

impl Bug {
    /// Every bug that can be seeded.
    pub fn all() -> impl Iterator<Item = Self> {
        let core = Flaw::ALL.iter().copied().map(Self::Core);
        let outside = OutsideFlaw::ALL.into_iter().map(Self::Outside);
        let journal =
            journal::Flaw::OF_NAMES.iter().chain(journal::Flaw::OF_ROWS).copied().map(Self::Journal);
        core.chain(outside).chain(HelperFlaw::ALL.into_iter().map(Self::Helpers)).chain(journal)
    }

    /// The bug with this short name.
    pub fn by_code(code: &str) -> Option<Self> {
        Self::all().find(|bug| bug.code().eq_ignore_ascii_case(code))
    }

    /// The short name.
    pub fn code(self) -> &'static str {
        match self {
            Self::Core(flaw) => flaw.code(),
            Self::Outside(flaw) => flaw.code(),
            Self::Helpers(flaw) => flaw.code(),
            Self::Journal(flaw) => flaw.code(),
        }
    }

    /// What the bug does, in one line.
    pub fn text(self) -> &'static str {
        match self {
            Self::Core(flaw) => flaw.text(),
            Self::Outside(flaw) => flaw.text(),
            Self::Helpers(flaw) => flaw.text(),
            Self::Journal(flaw) => flaw.text(),
        }
    }
}

/// The rule that is broken in a run, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mutant(pub(crate) Option<Bug>);

impl Mutant {
    /// What to tell the machines.
    pub(crate) fn rules(self) -> Rules {
        match self.0 {
            Some(Bug::Core(flaw)) => Rules::but(flaw),
            Some(Bug::Outside(_) | Bug::Helpers(_) | Bug::Journal(_)) | None => Rules::ALL,
        }
    }

    /// Whether the surroundings break this rule.
    pub(crate) fn is(self, flaw: OutsideFlaw) -> bool {
        self.0 == Some(Bug::Outside(flaw))
    }
}
