//! The depot: blobs beside the journals, for what is too large for an entry or must outlive its shard's owner.

use std::fmt::Debug;

use async_trait::async_trait;
use bytes::Bytes;

use super::JournalError;

/// A place for blobs that never change. A name is given once and for ever: the same bytes may be kept under it again, which is how an
/// uncertain answer is settled, and others never. So nobody has to be the owner of anything to keep one.
///
/// ```
/// use tenure::journal::{Depot, JournalError, Memory};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), JournalError> {
/// let journal = Memory::new();
/// journal.keep("inbox/3/0190a", "an order".into()).await?;
/// journal.keep("inbox/3/0190a", "an order".into()).await?;
/// assert!(matches!(journal.keep("inbox/3/0190a", "another".into()).await, Err(JournalError::Taken(_))));
/// assert_eq!(journal.names("inbox/", "", 10).await?, ["inbox/3/0190a"]);
/// assert_eq!(journal.fetch("inbox/3/0190a").await?, Some("an order".into()));
/// journal.remove(&["inbox/3/0190a"]).await?;
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Depot: Send + Sync + Debug + 'static {
    /// Keeps `bytes` under `name`. Words of letters, digits, `-`, `_`, `=` and `.` make a name, with slashes between them.
    ///
    /// # Errors
    /// [`JournalError::Taken`] if other bytes are kept under it.
    async fn keep(&self, name: &str, bytes: Bytes) -> Result<(), JournalError>;

    /// What is kept under `name`.
    async fn fetch(&self, name: &str) -> Result<Option<Bytes>, JournalError>;

    /// At most `limit` names that begin with `prefix` and come after `after`, in the order of their bytes; fewer only at the end. On
    /// object storage a name that was kept a moment ago may be missing.
    async fn names(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, JournalError>;

    /// Removes blobs; names that are not there are no error. A name that was removed must not be used again: a write that comes late
    /// may bring it back.
    async fn remove(&self, names: &[&str]) -> Result<(), JournalError>;
}
