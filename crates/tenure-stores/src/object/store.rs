//! The handle that members use.
//!
//! | call | requests |
//! |---|---|
//! | `get` | one GET, without a body if the version is known |
//! | `put` of a version | one PUT |
//! | `put` of a new key | one PUT; if refused, a GET, and a second PUT if it was a grave |
//! | `delete` | one PUT (of a grave), or one DELETE |
//! | `list` | one LIST per 1000 objects, and one GET for each object that changed since the last one |

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use tenure::store::{Entry, Operation, Read, Removed, Store, StoreError, Version, When, Written};

use super::body::Body;
use super::shelf::Shelf;
use super::stamp;

/// A store in a bucket of Amazon S3, Google Cloud Storage, Azure Blob Storage, or whatever honours their conditions.
/// Clones share connections and what was read.
#[derive(Clone)]
pub struct ObjectStore(pub(super) Arc<Shelf>);

impl ObjectStore {
    async fn create(&self, key: &str, body: Bytes) -> Result<Written, StoreError> {
        if let Some(version) = self.0.write(Operation::Put, key, body.clone(), None).await? {
            return Ok(Written::Stored(version));
        }
        // Something is there: a record, or the grave of one. If that can't be told, it is for the caller to find out.
        let Ok(Some(sight)) = self.0.read(Operation::Put, key).await else { return Ok(Written::Conflict) };
        if sight.record.is_some() {
            return Ok(Written::Conflict);
        }
        let over = self.0.write(Operation::Put, key, body, Some(&sight.stamp.version)).await?;
        Ok(over.map_or(Written::Conflict, Written::Stored))
    }
}

impl fmt::Debug for ObjectStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectStore({})", self.0.place())
    }
}

#[async_trait]
impl Store for ObjectStore {
    fn kind(&self) -> &'static str {
        self.0.place().provider.scheme()
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        let known = stamp::known_tag(self.0.place().provider, unless);
        let Some(found) = self.0.read_unless(Operation::Get, key, known).await? else {
            return Ok(Read::Unchanged);
        };
        Ok(match found.and_then(|sight| sight.versioned()) {
            None => Read::Absent,
            Some(record) if unless == Some(&record.version) => Read::Unchanged,
            Some(record) => Read::Found(record),
        })
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        let body = Body::of_record(value);
        let When::Is(version) = when else { return self.create(key, body).await };
        let written = self.0.write(Operation::Put, key, body, Some(&version)).await?;
        Ok(written.map_or(Written::Conflict, Written::Stored))
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let removed = if self.0.clients().deletes {
            self.0.remove(key, version).await?
        } else {
            self.0.bury(key, version).await?
        };
        Ok(if removed { Removed::Deleted } else { Removed::Conflict })
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.0.list(prefix).await
    }
}
