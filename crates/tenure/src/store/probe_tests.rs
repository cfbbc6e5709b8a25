//! Stores with one broken promise each are found out; sound ones pass.

use std::sync::Arc;

use async_trait::async_trait;

use super::*;
use crate::store::{Entry, Memory};

/// A store with one broken promise.
#[derive(Debug)]
struct Broken {
    inner: Memory,
    flaw: Flaw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    OverwritesOnCreate,
    IgnoresVersions,
    DeletesAnything,
    CannotDelete,
}

impl Broken {
    fn with(flaw: Flaw) -> Self {
        Self { inner: Memory::new(), flaw }
    }

    async fn present(&self, key: &str) -> Option<Version> {
        match self.inner.get(key, None).await.unwrap() {
            Read::Found(record) => Some(record.version),
            Read::Absent | Read::Unchanged => None,
        }
    }

    async fn overwrite(&self, key: &str, value: Bytes) -> Result<Written, StoreError> {
        let when = self.present(key).await.map_or(When::Absent, When::Is);
        self.inner.put(key, value, when).await
    }
}

#[async_trait]
impl Store for Broken {
    fn kind(&self) -> &'static str {
        "broken"
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        self.inner.get(key, unless).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        match (self.flaw, &when) {
            (Flaw::OverwritesOnCreate, When::Absent) | (Flaw::IgnoresVersions, When::Is(_)) => {
                self.overwrite(key, value).await
            }
            _ => self.inner.put(key, value, when).await,
        }
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        match self.flaw {
            Flaw::CannotDelete => Ok(Removed::Unsupported),
            Flaw::DeletesAnything => {
                let present = self.present(key).await.unwrap();
                self.inner.delete(key, &present).await
            }
            _ => self.inner.delete(key, version).await,
        }
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.inner.list(prefix).await
    }
}

async fn refusal(flaw: Flaw) -> String {
    let error = probe(&Broken::with(flaw), "c/", "me").await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Incompatible);
    error.to_string()
}

#[tokio::test]
async fn a_sound_store_passes_and_nothing_stays_behind() {
    let store = Broken::with(Flaw::None);
    probe(&store, "c/", "me").await.unwrap();
    assert_eq!(store.list("").await.unwrap(), []);
}

#[tokio::test]
async fn a_store_that_overwrites_on_create_is_not_used() {
    let message = refusal(Flaw::OverwritesOnCreate).await;
    assert!(message.contains("store ignores preconditions: do not use"), "{message}");
    assert!(message.contains("created a key that exists"), "{message}");
}

#[tokio::test]
async fn a_store_that_ignores_versions_is_not_used() {
    assert!(refusal(Flaw::IgnoresVersions).await.contains("replaced a version that is no more"));
}

#[tokio::test]
async fn a_store_that_removes_any_version_is_not_used() {
    assert!(refusal(Flaw::DeletesAnything).await.contains("removed a version that is no more"));
}

#[tokio::test]
async fn a_store_that_cannot_remove_passes_again_and_again() {
    let store = Arc::new(Broken::with(Flaw::CannotDelete));
    probe(&store, "c/", "me").await.unwrap();
    probe(&store, "c/", "me").await.unwrap();
    assert_eq!(store.list("c/probe/").await.unwrap().len(), 1);
}
