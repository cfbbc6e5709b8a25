//! Who called what, when, and what was answered.
//!
//! Time is a number that grows with every beginning and every end of a call: of two calls, one came before the other only if it had
//! ended when the other began.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::Version;

/// Numbers the contents that are written: no two are ever equal.
pub(super) type Content = u64;

/// What a call did to its key or showed of it, as far as its answer tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Wrote a content where this version was, or where nothing was.
    Put { content: Content, over: Option<Version> },
    /// Removed this version.
    Delete { version: Version },
    /// Found this version, or nothing.
    Get { shown: Option<Version> },
}

/// One call on one key.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) effect: Effect,
    pub(super) begun: u64,
    /// `None` if the answer was that nobody knows: it may have taken effect, or may yet.
    pub(super) ended: Option<u64>,
}

/// A version was given to a content: by the answer to a write, by a read or in a listing.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub(super) version: Version,
    /// `None` if it is nothing that a soak ever writes.
    pub(super) content: Option<Content>,
}

/// Everything about one key.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub(super) calls: Vec<Call>,
    pub(super) sights: Vec<Sight>,
    /// Contents whose write was refused, or could not be carried out.
    pub(super) refused: Vec<Content>,
}

impl History {
    pub(super) fn join(&mut self, other: Self) {
        self.calls.extend(other.calls);
        self.sights.extend(other.sights);
        self.refused.extend(other.refused);
    }
}

/// The time that all callers share.
#[derive(Debug, Default)]
pub(super) struct Ticks(AtomicU64);

impl Ticks {
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}
