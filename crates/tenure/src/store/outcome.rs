//! How store calls end. Losing a race is an outcome, not an error.
use tenure_core::message::Versioned;
use tenure_core::record::Version;

/// What a linearizable read found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// Nothing is there.
    Absent,
    /// The version that the caller has already is there still.
    Unchanged,
    /// This is there.
    Found(Versioned),
}

/// How a conditional write ended. Losing a race is an outcome, not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// It landed, as this version.
    Stored(Version),
    /// The precondition did not hold, or so the store says: read before concluding anything.
    Conflict,
}

/// How a conditional removal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removed {
    /// The very version is gone.
    Deleted,
    /// It was not there.
    Conflict,
    /// This store can't remove conditionally; nothing happened.
    Unsupported,
}

/// One record of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its whole key.
    pub key: String,
    /// What it holds.
    pub record: Versioned,
}

/// Something under a prefix may have changed: look again. Hints may be late, doubled or missing; nothing rests on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The key that changed, where the store says so.
    pub key: Option<String>,
    /// What the key holds since, where the store itself says so, to those alone who may read it. It may be old by the time it is
    /// heard, yet counts as read.
    pub record: Option<Versioned>,
    /// What the key holds since, as somebody says who may be anybody. It is never believed: it tells whether reading is worth it.
    pub rumour: Option<Versioned>,
}

impl Hint {
    /// Anything may have changed.
    pub const fn anything() -> Self {
        Self { key: None, record: None, rumour: None }
    }

    /// One key changed.
    pub fn of(key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), record: None, rumour: None }
    }

    /// One key holds this since.
    #[must_use]
    pub fn with(self, record: Versioned) -> Self {
        Self { record: Some(record), ..self }
    }

    /// Somebody says that one key holds this since.
    #[must_use]
    pub fn rumoured(self, record: Versioned) -> Self {
        Self { rumour: Some(record), ..self }
    }
}
