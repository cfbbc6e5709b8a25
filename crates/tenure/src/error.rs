//! The one error that users of this crate meet.
//!
//! A kind says what its receiver does next; the message says what was tried, on what, and what to do about it. The cause
//! is in `source` and never repeated in the message: print an error with its chain.

use std::error::Error as StdError;
use std::fmt;

use crate::settings::SettingsError;
use crate::store::{StoreError, StoreErrorKind};

/// Any error, in a box: what handlers may return.
pub type BoxError = Box<dyn StdError + Send + Sync>;

/// What the receiver of an [`Error`] does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The right to act is over: stop work for this shard now.
    Lapsed,
    /// It did not happen: try again, with pauses.
    Unavailable,
    /// It may have happened: read before writing again.
    Indeterminate,
    /// Too much at once: slow down.
    Busy,
    /// It is refused: grant what the message names.
    Denied,
    /// An argument or a setting is wrong: correct it.
    Invalid,
    /// A record or a store can't be used by this build: upgrade or repair.
    Incompatible,
    /// The handle is of no more use: make a new one.
    Closed,
    /// A bug: report it.
    Internal,
}

/// What went wrong, and what to do about it.
#[derive(Debug)]
pub struct Error(Box<Inner>);

/// In a box, so that a check that succeeds, which is nearly every one, returns in a register.
#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<BoxError>,
}

impl Error {
    /// An error of `kind`. The message says what was tried, on what, and what to do.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), source: None }))
    }

    /// The same error, with its cause.
    #[must_use]
    pub fn because(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// What to do next.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

impl From<SettingsError> for Error {
    fn from(error: SettingsError) -> Self {
        Self::new(ErrorKind::Invalid, error.to_string())
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let kind = match error.kind {
            StoreErrorKind::Unavailable => ErrorKind::Unavailable,
            StoreErrorKind::Indeterminate => ErrorKind::Indeterminate,
            StoreErrorKind::Denied => ErrorKind::Denied,
            StoreErrorKind::Invalid => ErrorKind::Invalid,
            StoreErrorKind::Incompatible => ErrorKind::Incompatible,
        };
        let message = error.to_string();
        Self(Box::new(Inner { kind, message, source: error.source }))
    }
}

/// An error with all its causes in one line: for logs, and for the records of failed work.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        line.push_str(": ");
        line.push_str(&next.to_string());
        cause = next.source();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused() -> StoreError {
        StoreError {
            kind: StoreErrorKind::Denied,
            store: "paper",
            operation: "put",
            key: "orders/meta".into(),
            message: "the file is read-only; make it writable".into(),
            source: Some("permission denied (os error 13)".into()),
        }
    }

    #[test]
    fn a_message_never_repeats_its_source() {
        let error = Error::from(refused());
        assert_eq!(error.kind(), ErrorKind::Denied);
        assert_eq!(
            error.to_string(),
            "paper: can't put orders/meta: the file is read-only; make it writable"
        );
    }

    #[test]
    fn a_chain_tells_every_cause_once() {
        let error = Error::new(ErrorKind::Unavailable, "can't start member a").because(refused());
        let told = chain(&error);
        assert_eq!(told.matches("os error 13").count(), 1);
        assert!(told.starts_with("can't start member a: paper: can't put"), "{told}");
    }
}
