//! The steps that rules are made of: a store call that must be answered.
//!
//! A store may be busy: `Unavailable` says that nothing happened, so the step is tried again, a bounded number of times. Any
//! other error breaks the rule.

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;

use crate::clock::Clock;
use crate::store::{
    Read, Removed, SharedStore, StoreError, StoreErrorKind, Version, Versioned, When, Written,
};

const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(20);

async fn answered<T, F>(mut call: impl FnMut() -> F) -> T
where
    F: Future<Output = Result<T, StoreError>>,
{
    for _ in 0..TRIES {
        match call().await {
            Ok(answer) => return answer,
            Err(error) if error.kind == StoreErrorKind::Unavailable => Clock::boot().sleep(PAUSE).await,
            Err(error) => panic!("{error} ({:?}, caused by {:?})", error.kind, error.source),
        }
    }
    panic!("the store was unavailable {TRIES} times in a row");
}

pub(super) async fn put(store: &SharedStore, key: &str, value: &[u8], when: &When) -> Written {
    answered(|| store.put(key, Bytes::copy_from_slice(value), when.clone())).await
}

pub(super) async fn stored(store: &SharedStore, key: &str, value: &[u8], when: &When) -> Version {
    match put(store, key, value, when).await {
        Written::Stored(version) => version,
        Written::Conflict => panic!("writing {key} when {when:?} was a conflict"),
    }
}

pub(super) async fn create(store: &SharedStore, key: &str, value: &[u8]) -> Version {
    stored(store, key, value, &When::Absent).await
}

pub(super) async fn replace(store: &SharedStore, key: &str, value: &[u8], version: &Version) -> Version {
    stored(store, key, value, &When::Is(version.clone())).await
}

pub(super) async fn read(store: &SharedStore, key: &str, unless: Option<&Version>) -> Read {
    answered(|| store.get(key, unless)).await
}

pub(super) async fn found(store: &SharedStore, key: &str) -> Versioned {
    match read(store, key, None).await {
        Read::Found(record) => record,
        Read::Absent => panic!("{key} is absent"),
        Read::Unchanged => panic!("reading {key} was answered by Unchanged, though no version was named"),
    }
}

pub(super) async fn delete(store: &SharedStore, key: &str, version: &Version) -> Removed {
    answered(|| store.delete(key, version)).await
}

/// Removes a record. False, aloud, if the store can't: the rest of the rule is not for it.
pub(super) async fn could_delete(store: &SharedStore, key: &str, version: &Version) -> bool {
    match delete(store, key, version).await {
        Removed::Deleted => true,
        Removed::Conflict => panic!("removing {key} at {version:?} was a conflict"),
        Removed::Unsupported => {
            eprintln!("skipped: a {} store can't remove conditionally", store.kind());
            false
        }
    }
}

pub(super) async fn list(store: &SharedStore, prefix: &str) -> Vec<(String, Versioned)> {
    let entries = answered(|| store.list(prefix)).await;
    entries.into_iter().map(|entry| (entry.key, entry.record)).collect()
}

pub(super) async fn keys(store: &SharedStore, prefix: &str) -> Vec<String> {
    list(store, prefix).await.into_iter().map(|(key, _)| key).collect()
}
