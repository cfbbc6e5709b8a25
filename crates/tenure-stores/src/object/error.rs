//! What can go wrong with object storage, and what its user does about it.
//!
//! The rule for writes: one that was never sent, or that the store refused by a code of its own, did not
//! happen. All else may have: a connection that broke, no answer in time, every 5xx, for a server can fail after it
//! has stored, and every answer without such a code, for it may come from whatever stands in between.

use tenure::store::{Operation, StoreError, StoreErrorKind};

use super::advice::{self, Advice};
use super::refusal::Refusal;
use super::url::BucketPath;
use super::wire::{Fate, Trace};
use crate::trouble::after_silence;

/// A call that brought no answer, by what became of its request.
pub(super) fn fault(
    place: &BucketPath,
    operation: Operation,
    key: &str,
    trace: &Trace,
    cause: object_store::Error,
) -> StoreError {
    let scene = Scene { place, operation, key };
    match trace.fate() {
        Fate::Unsent => scene.unsent().caused_by(cause),
        Fate::Unreachable => scene.unreachable().caused_by(cause),
        Fate::Lost => scene.unanswered("no answer came").caused_by(cause),
        Fate::Answered => {
            scene.unanswered("the answer broke off, or is not one of object storage").caused_by(cause)
        }
        // The cause would repeat the server's whole answer, with whatever is in it.
        Fate::Refused(refusal) => scene.refused(&refusal),
    }
}

/// A key or an object that is not as it must be.
pub(super) fn unfit(place: &BucketPath, operation: Operation, key: &str, message: &str) -> StoreError {
    Scene { place, operation, key }.error(StoreErrorKind::Incompatible, message)
}

/// A write that was answered well, but without the version that it gave.
pub(super) fn unversioned(place: &BucketPath, operation: Operation, key: &str) -> StoreError {
    Scene { place, operation, key }.unanswered("the server did not say which version it stored")
}

/// A bucket that takes away what must stay.
pub(super) fn forgetful(place: &BucketPath, rule: &str) -> StoreError {
    let message = format!(
        "the bucket's lifecycle rule {rule:?} takes objects away from here, and a journal with them; leave this prefix out of it"
    );
    let scheme = place.provider.scheme();
    StoreError::new(StoreErrorKind::Incompatible, scheme, "open", place.to_string(), message)
}

/// An address that can't be used.
pub(super) fn unusable(place: &BucketPath, message: impl Into<String>) -> StoreError {
    let scheme = place.provider.scheme();
    StoreError::new(StoreErrorKind::Invalid, scheme, "open", place.to_string(), message)
}

struct Scene<'a> {
    place: &'a BucketPath,
    operation: Operation,
    key: &'a str,
}

impl Scene<'_> {
    fn error(&self, kind: StoreErrorKind, message: impl Into<String>) -> StoreError {
        StoreError::new(kind, self.place.provider.scheme(), self.operation.name(), self.key, message)
    }

    fn unsent(&self) -> StoreError {
        let where_to = advice::credentials(self.place.provider);
        self.error(StoreErrorKind::Unavailable, format!("no credentials were to be had; {where_to}"))
    }

    fn unreachable(&self) -> StoreError {
        let what =
            "no connection could be made; check the endpoint, the region, the network and certificates";
        self.error(StoreErrorKind::Unavailable, what)
    }

    fn unanswered(&self, what: &str) -> StoreError {
        let next = after_silence(self.operation);
        let scheme = self.place.provider.scheme();
        StoreError::unanswered(scheme, self.operation, self.key, format!("{what}; {next}"))
    }

    fn refused(&self, refusal: &Refusal) -> StoreError {
        if self.operation.writes() && refusal.code.is_empty() {
            return self.strange(refusal);
        }
        match advice::on(refusal, self.place) {
            Advice::Do(kind, message) => self.error(kind, format!("{message}{}", said(refusal))),
            Advice::TryAgain => {
                let what = format!(
                    "the server is too busy for it, and has not begun it{}; try again",
                    said(refusal)
                );
                self.error(StoreErrorKind::Unavailable, what)
            }
            Advice::Unsure => self.unanswered(&format!("the server failed{}", said(refusal))),
            Advice::Strange => self.strange(refusal),
        }
    }

    fn strange(&self, refusal: &Refusal) -> StoreError {
        let advice = "check the endpoint, and for a proxy or an ingress in between";
        let what = "what answered does not speak like object storage";
        self.unanswered(&format!("{what}{}; {advice}", said(refusal)))
    }
}

/// The server's own words, for those who look them up.
fn said(refusal: &Refusal) -> String {
    let Refusal { status, code, words, .. } = refusal;
    match (code.as_str(), words.as_str()) {
        ("", _) => format!(" (HTTP {status})"),
        (code, "") => format!(" (HTTP {status} {code})"),
        (code, words) => format!(" (HTTP {status} {code}: {words})"),
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
