//! The contract between the protocol and a backend.
//!
//! It is as small as it can be: whatever a store does beyond it, the protocol does not rely on. What it does promise is
//! proven by the suite in `tenure::testing`, which every backend and every layer runs.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use tenure_core::message::When;
use tenure_core::record::Version;

use super::{Entry, Hint, Read, Removed, StoreError, Witness, Written};

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

    /// Writes `value` if `when` holds. An error of kind [`Indeterminate`](super::StoreErrorKind::Indeterminate) says that it may have landed, now
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

#[async_trait]
impl<S: Store + ?Sized> Store for Arc<S> {
    fn kind(&self) -> &'static str {
        (**self).kind()
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        (**self).get(key, unless).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        (**self).put(key, value, when).await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        (**self).delete(key, version).await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        (**self).list(prefix).await
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        (**self).watch(prefix)
    }

    fn witness(&self) -> Option<Arc<dyn Witness>> {
        (**self).witness()
    }
}
