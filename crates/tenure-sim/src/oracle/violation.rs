//! A broken promise.

use std::fmt;

use crate::clock::Nanos;

/// The promises of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// No instant has two members that may act for one shard.
    I1,
    /// Epochs of a holding only grow; one epoch names one life, for ever.
    I2,
    /// Whoever may act at an epoch, every epoch below it is ended.
    I3,
    /// A closed life has no valid lease, now or later.
    I4,
    /// A lapsed life never acts again.
    I5,
    /// Once faults stop, every shard has an owner in time, and the ledger comes to rest.
    I6,
    /// Whatever bytes a record holds, nobody crashes, and nobody acts on what was not understood.
    I7,
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A broken promise: which, when, and how it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which promise.
    pub invariant: Invariant,
    /// At which true time.
    pub at: Nanos,
    /// How it shows.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:.3} s: {}", self.invariant, self.at as f64 / 1e9, self.text)
    }
}

/// What an invariant's watch says: nothing is wrong, or what is.
pub(crate) type Verdict = Result<(), (Invariant, String)>;
