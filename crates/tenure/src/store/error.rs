//! Why a store call failed, and what its caller does next.

use std::error::Error as StdError;

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
