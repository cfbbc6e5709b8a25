//! What machines ask of a store, and what it answers.

use bytes::Bytes;

use crate::ids::MemberId;
use crate::record::{Key, Version};

/// Names one store call; the reply carries it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u64);

/// What must hold for a write to land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// The key holds nothing.
    Absent,
    /// The key holds this very version.
    Is(Version),
}

/// One store call. Every call gets exactly one reply, if only "unknown" when its time is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A linearizable read; `unless` is a version that need not be sent again.
    Get {
        /// What to read.
        key: Key,
        /// The version that the caller has already.
        unless: Option<Version>,
    },
    /// Every member record; may be old.
    ListMembers,
    /// A conditional write.
    Put {
        /// What to write.
        key: Key,
        /// The new content.
        value: Bytes,
        /// What must hold.
        when: When,
    },
    /// A conditional removal.
    Delete {
        /// What to remove.
        key: Key,
        /// The version that must be there.
        version: Version,
    },
}

/// A content of a key, with its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned {
    /// The version.
    pub version: Version,
    /// The content.
    pub value: Bytes,
}

/// Why a call brought no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It did not happen; try again later.
    Unavailable(String),
    /// It may have happened, or may yet happen.
    Indeterminate(String),
    /// The store refuses it, and will go on refusing.
    Denied(String),
}

impl Fault {
    /// What went wrong, in the store's words.
    pub fn why(&self) -> &str {
        match self {
            Self::Unavailable(why) | Self::Indeterminate(why) | Self::Denied(why) => why,
        }
    }
}

/// The answer to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A read found nothing.
    Absent,
    /// A read found the version that the caller has.
    Unchanged,
    /// A read found this.
    Found(Versioned),
    /// All member records that the store listed.
    Members(Vec<(MemberId, Versioned)>),
    /// The write landed, as this version.
    Stored(Version),
    /// The removal happened.
    Deleted,
    /// The precondition did not hold, or so the store says.
    Conflict,
    /// No answer.
    Failed(Fault),
}

impl Reply {
    /// The version as which a write landed, if that is known.
    pub(crate) fn stored(&self) -> Option<&Version> {
        match self {
            Self::Stored(version) => Some(version),
            Self::Absent
            | Self::Unchanged
            | Self::Found(_)
            | Self::Members(_)
            | Self::Deleted
            | Self::Conflict
            | Self::Failed(_) => None,
        }
    }
}
