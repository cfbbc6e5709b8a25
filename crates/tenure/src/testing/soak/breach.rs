//! What a soak found wrong.

use std::fmt;

/// A history that no store which keeps the contract could have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breach {
    /// The key it happened to.
    pub key: String,
    /// What was seen, and why it can't be.
    pub what: String,
}

impl Breach {
    pub(super) fn of(key: &str, what: impl Into<String>) -> Self {
        Self { key: key.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.what)
    }
}

impl std::error::Error for Breach {}
