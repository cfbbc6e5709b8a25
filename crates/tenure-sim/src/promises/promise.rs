//! The promises by name, what they look at, and how one that is broken is told.

use std::fmt;

use super::Truth;
use crate::clock::Nanos;
use crate::machine_sim::Proc;

/// What is promised: I1 to I7 of clusters (docs/protocol.md), S1 to S4 of the helpers that hold a member's child processes,
/// V1 to V7 of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// I1: no instant has two members that may act for one shard.
    SingleOwner,
    /// I2: epochs of a holding only grow; one epoch names one life, for ever.
    EpochsGrow,
    /// I3: whoever may act at an epoch, every epoch below it is ended.
    EarlierEnded,
    /// I4: a closed life has no valid lease, now or later.
    ClosedHasNoLease,
    /// I5: a lapsed life never acts again.
    LapsedNeverActs,
    /// I6: once faults stop, every shard has an owner in time, and the ledger comes to rest.
    Settles,
    /// I7: whatever bytes a record holds, nobody crashes, and nobody acts on what was not understood.
    NonsenseLeftAlone,
    /// S1: no child process acts after the lease that it was started under.
    ChildrenEndWithLease,
    /// S2: no child process acts once others can prove its member dead, or it has left.
    ChildrenEndBeforeProof,
    /// S3: a run is told as ended only when nothing of it acts.
    ToldEndIsTrue,
    /// S4: no helper is frozen unnoticed, and in the end everything runs or nothing is left.
    HelpersAreMinded,
    /// One of the journal's (docs/journal.md).
    Journal(crate::journal::Promise),
}

impl Promise {
    /// I1 to I7: those of clusters.
    pub const OF_CLUSTERS: [Self; 7] = [
        Self::SingleOwner,
        Self::EpochsGrow,
        Self::EarlierEnded,
        Self::ClosedHasNoLease,
        Self::LapsedNeverActs,
        Self::Settles,
        Self::NonsenseLeftAlone,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SingleOwner => "single_owner",
            Self::EpochsGrow => "epochs_grow",
            Self::EarlierEnded => "earlier_ended",
            Self::ClosedHasNoLease => "closed_has_no_lease",
            Self::LapsedNeverActs => "lapsed_never_acts",
            Self::Settles => "settles",
            Self::NonsenseLeftAlone => "nonsense_left_alone",
            Self::ChildrenEndWithLease => "children_end_with_lease",
            Self::ChildrenEndBeforeProof => "children_end_before_proof",
            Self::ToldEndIsTrue => "told_end_is_true",
            Self::HelpersAreMinded => "helpers_are_minded",
            Self::Journal(_) => "journal",
        }
    }

    /// The letter that the documents give it.
    pub fn letter(self) -> &'static str {
        match self {
            Self::SingleOwner => "I1",
            Self::EpochsGrow => "I2",
            Self::EarlierEnded => "I3",
            Self::ClosedHasNoLease => "I4",
            Self::LapsedNeverActs => "I5",
            Self::Settles => "I6",
            Self::NonsenseLeftAlone => "I7",
            Self::ChildrenEndWithLease => "S1",
            Self::ChildrenEndBeforeProof => "S2",
            Self::ToldEndIsTrue => "S3",
            Self::HelpersAreMinded => "S4",
            Self::Journal(promise) => promise.letter(),
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.letter())
    }
}

/// A broken promise: which, when, and how it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which promise.
    pub promise: Promise,
    /// At which true time.
    pub at: Nanos,
    /// How it shows.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:.3} s: {}", self.promise, self.at as f64 / 1e9, self.text)
    }
}

/// What a watch says: nothing is wrong, or what is.
pub(crate) type Verdict = Result<(), (Promise, String)>;

/// One instant of a run of machines, for a promise to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) now: Nanos,
    pub(crate) procs: &'a [Proc],
    pub(crate) truth: &'a Truth,
}
