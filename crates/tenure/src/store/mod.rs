//! The one trait that a backend implements.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;

pub use tenure_core::member::{Versioned, When};
pub use tenure_core::record::Version;

mod error;
mod witness;

pub use error::{StoreError, StoreErrorKind};
pub use witness::{Registration, Witness};

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
}

/// A store of small records: what a backend implements, and all that the protocol needs.
///
/// Keys are made of segments of `[A-Za-z0-9._-]`, joined by `/`. Values are up to a megabyte. Per key, `get`, `put` and
/// `delete` are linearizable, and one version is never given to two different contents, not even across a removal. A call
/// that is dropped may still take effect. No call retries by itself a write that may have landed.
#[async_trait]
pub trait Store: Send + Sync + std::fmt::Debug + 'static {
    /// What kind of store this is, such as `sqlite`; for messages.
    fn kind(&self) -> &'static str;

    /// A linearizable read. `unless` names a version that the caller has: if it is still there, [`Read::Unchanged`] may be
    /// answered instead of its content.
    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError>;

    /// Writes `value` if `when` holds. An error of kind [`StoreErrorKind::Indeterminate`] says that it may have landed, now
    /// or later; every other error that it has not and will not.
    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError>;

    /// Removes `key` if it holds `version`.
    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError>;

    /// Every record whose key begins with `prefix`, in the order of keys. May be old.
    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError>;

    /// Hints about changes under `prefix`, until the stream is dropped. A store without hints never yields; members look
    /// again on their own.
    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        let _ = prefix;
        Box::pin(futures_util::stream::pending())
    }

    /// Who can prove that a process has ended, if this store comes with such a witness.
    fn witness(&self) -> Option<Arc<dyn Witness>> {
        None
    }
}

/// A store that can be shared.
pub type SharedStore = Arc<dyn Store>;
