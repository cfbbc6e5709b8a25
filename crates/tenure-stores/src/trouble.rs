//! The end that the errors of all stores share: from what went wrong there to what its caller is told.
//!
//! Each store lists in its `error.rs` what can go wrong with it, and says of each whether the request may have been carried out
//! all the same. What follows from that is decided here, once: an error says that nothing happened only where that is known.

use std::error::Error as StdError;
use std::fmt;

use tenure::store::{Operation, StoreError, StoreErrorKind};

/// What caused a trouble, for those who print whole chains.
pub(crate) type Cause = Box<dyn StdError + Send + Sync>;

/// Whatever can go wrong with one kind of store.
pub(crate) trait StoreTrouble: fmt::Display + Sized {
    /// The kind of store, for messages.
    const STORE: &'static str;

    /// What the caller does next, where it is known that nothing happened.
    fn kind(&self) -> StoreErrorKind;

    /// Whether such a request may have been carried out all the same.
    fn is_unanswered(&self, operation: Operation) -> bool;

    /// The cause, which the message does not repeat.
    fn into_cause(self) -> Option<Cause>;

    /// As the caller of one of the store's operations meets it.
    fn in_call(self, operation: Operation, key: &str) -> StoreError {
        if !self.is_unanswered(operation) {
            return self.on(operation.name(), key);
        }
        let message = format!("{self}; {}", after_silence(operation));
        caused(StoreError::unanswered(Self::STORE, operation, key, message), self.into_cause())
    }

    /// As the caller of something else meets it, such as of opening.
    fn on(self, operation: &'static str, key: &str) -> StoreError {
        let error = StoreError::new(self.kind(), Self::STORE, operation, key, self.to_string());
        caused(error, self.into_cause())
    }
}

/// What to do when nobody knows whether a call was carried out.
pub(crate) fn after_silence(operation: Operation) -> &'static str {
    match operation.writes() {
        true => "it may have landed or may yet: read before writing again",
        false => "try again",
    }
}

fn caused(error: StoreError, cause: Option<Cause>) -> StoreError {
    match cause {
        Some(cause) => error.caused_by(cause),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request that was refused, or was not answered.
    #[derive(Debug)]
    enum Sample {
        Refused,
        Unanswered,
    }

    impl fmt::Display for Sample {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("it rains")
        }
    }

    impl StoreTrouble for Sample {
        const STORE: &'static str = "sample";

        fn kind(&self) -> StoreErrorKind {
            StoreErrorKind::Denied
        }

        fn is_unanswered(&self, _operation: Operation) -> bool {
            matches!(self, Self::Unanswered)
        }

        fn into_cause(self) -> Option<Cause> {
            Some("clouds".into())
        }
    }

    #[test]
    fn what_was_refused_did_not_happen_whatever_it_was() {
        for operation in Operation::ALL {
            assert_eq!(Sample::Refused.in_call(operation, "a").kind, StoreErrorKind::Denied);
        }
    }

    #[test]
    fn what_was_not_answered_may_have_happened_if_it_writes() {
        let write = Sample::Unanswered.in_call(Operation::Put, "a");
        assert_eq!(write.kind, StoreErrorKind::Indeterminate);
        let said = "sample: can't put a: it rains; it may have landed or may yet: read before writing again";
        assert_eq!(write.to_string(), said);
        let read = Sample::Unanswered.in_call(Operation::Get, "a");
        assert_eq!(read.kind, StoreErrorKind::Unavailable);
        assert_eq!(read.to_string(), "sample: can't get a: it rains; try again");
    }

    #[test]
    fn the_cause_is_kept_and_not_repeated() {
        for error in [Sample::Refused.on("open", "a"), Sample::Unanswered.in_call(Operation::Put, "a")] {
            assert_eq!(error.source.as_ref().unwrap().to_string(), "clouds");
            assert!(!error.to_string().contains("clouds"));
        }
    }
}
