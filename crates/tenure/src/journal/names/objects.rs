//! What a store of names must do.

use std::fmt::Debug;

use async_trait::async_trait;
use bytes::Bytes;

use crate::store::{StoreError, Version, When, Written};

/// What a store of names must do.
///
/// Per name, `read`, `write` and `remove` are linearizable: of several writes with [`When::Absent`] one is stored. A name that was
/// removed may be written again. A call that is dropped may still take effect, and so may one that failed with
/// [`Indeterminate`](crate::store::StoreErrorKind::Indeterminate), however late.
///
/// Names are letters, digits, `-`, `_`, `=` and `.`, with slashes between them; a word has up to 255 of these, and a name without the
/// prefix that was given up to 900.
#[async_trait]
pub trait Objects: Send + Sync + Debug + 'static {
    /// What kind of store this is, such as `s3`; for messages.
    fn kind(&self) -> &'static str;

    /// What is stored under `name`, with its version.
    async fn read(&self, name: &str) -> Result<Option<(Version, Bytes)>, StoreError>;

    /// Stores `bytes` under `name` if `when` holds.
    async fn write(&self, name: &str, bytes: Bytes, when: When) -> Result<Written, StoreError>;

    /// Removes names; those that are not there are no error.
    async fn remove(&self, names: &[String]) -> Result<(), StoreError>;

    /// At most `limit` names that begin with `prefix` and come after `after`, in the order of their bytes; fewer only at the end. May
    /// be old.
    async fn list(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, StoreError>;
}
