//! Journals in a bucket, over the same client as records of ownership: the names of a journal are objects of their own.
//!
//! A journal rests on names that are created once. So a bucket that overwrites in spite of the condition is found out at opening, by the
//! probe that ownership uses, and not used.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use tenure::journal::names::{Names, Objects};
use tenure::store::{Operation, StoreError, Version, When, Written, probe};

use super::body::{Body, drawn};
use super::shelf::Shelf;
use super::store::ObjectStore;
use super::url::Address;

/// What is waited for at most, unless the address says otherwise: a snapshot takes longer than a lease.
const TIMEOUT: (&str, &str) = ("timeout", "60s");

/// How many objects are removed at once.
const AT_ONCE: usize = 16;

/// A place in a bucket of S3, Google Cloud Storage or Azure for the names of journals. Clones share connections.
#[derive(Clone)]
pub struct JournalBucket(Arc<Shelf>);

impl JournalBucket {
    /// Opens the bucket that an address such as `s3://bucket/prefix` names, and makes sure that it keeps conditions. It must exist:
    /// buckets are not created here.
    ///
    /// # Errors
    /// Says what is wrong with the address, the credentials or the bucket, and what to do about it.
    pub async fn open_url(address: &str) -> Result<Self, StoreError> {
        let mut address = Address::parse(address)?;
        // Before the address's own, which counts then.
        address.options.insert(0, (TIMEOUT.0.into(), TIMEOUT.1.into()));
        let shelf = Arc::new(Shelf::at(&address)?);
        shelf.is_empty().await?;
        let name = drawn(shelf.place().provider.scheme(), "open", &shelf.place().to_string())?;
        probe(&ObjectStore(Arc::clone(&shelf)), "journal/", &name).await?;
        shelf.must_keep().await?;
        Ok(Self(shelf))
    }

    /// The journals in the bucket that an address names.
    ///
    /// # Errors
    /// As [`open_url`](Self::open_url).
    pub async fn journal(address: &str) -> Result<Names<Self>, StoreError> {
        // The prefix is part of the address already.
        Ok(Names::new(Self::open_url(address).await?, ""))
    }
}

impl fmt::Debug for JournalBucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JournalBucket({})", self.0.place())
    }
}

#[async_trait]
impl Objects for JournalBucket {
    fn kind(&self) -> &'static str {
        self.0.place().provider.scheme()
    }

    async fn read(&self, name: &str) -> Result<Option<(Version, Bytes)>, StoreError> {
        let sight = self.0.read(Operation::Get, name).await?;
        Ok(sight.and_then(|sight| sight.versioned()).map(|found| (found.version, found.value)))
    }

    async fn write(&self, name: &str, bytes: Bytes, when: When) -> Result<Written, StoreError> {
        let version = match &when {
            When::Absent => None,
            When::Is(version) => Some(version),
        };
        let written = self.0.write(Operation::Put, name, Body::of_record(bytes), version).await?;
        Ok(written.map_or(Written::Conflict, Written::Stored))
    }

    async fn remove(&self, names: &[String]) -> Result<(), StoreError> {
        let removals = stream::iter(names.to_vec()).map(|name| async move { self.0.clear(&name).await });
        removals.buffer_unordered(AT_ONCE).try_collect().await
    }

    async fn list(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        self.0.keys_after(prefix, after, limit).await
    }
}
