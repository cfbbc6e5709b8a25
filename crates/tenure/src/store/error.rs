//! Why a store call failed, and what its caller does next.

use std::error::Error as StdError;

use super::Operation;

/// What the caller of a store does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// It did not happen; try again later.
    Unavailable,
    /// It may have happened, or may yet happen: read before writing again.
    Indeterminate,
    /// The store refuses this caller; grant what the message names.
    Denied,
    /// The call makes no sense to this store; correct it.
    Invalid,
    /// The store is not one that can be used.
    Incompatible,
}

/// A store call that brought no answer.
#[derive(Debug, thiserror::Error)]
#[error("{store}: can't {operation} {key}: {message}")]
#[non_exhaustive]
pub struct StoreError {
    /// What to do next.
    pub kind: StoreErrorKind,
    /// The kind of store.
    pub store: &'static str,
    /// What was tried: `get`, `put`, `delete`, `list`, `open`.
    pub operation: &'static str,
    /// On what.
    pub key: String,
    /// What went wrong and what to do about it.
    pub message: String,
    /// The cause; not repeated in the message.
    #[source]
    pub source: Option<Box<dyn StdError + Send + Sync>>,
}

impl StoreError {
    /// A call on `key` that brought no answer.
    pub fn new(
        kind: StoreErrorKind,
        store: &'static str,
        operation: &'static str,
        key: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self { kind, store, operation, key: key.into(), message: message.into(), source: None }
    }

    /// The same, with its cause.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(cause.into());
        self
    }

    /// A call that was sent and not answered: a write may have landed, now or later; a read merely brought nothing.
    pub fn unanswered(
        store: &'static str,
        operation: Operation,
        key: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let kind =
            if operation.writes() { StoreErrorKind::Indeterminate } else { StoreErrorKind::Unavailable };
        Self::new(kind, store, operation.name(), key, message)
    }
}
