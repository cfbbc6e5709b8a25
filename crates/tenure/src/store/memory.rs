//! A store inside one process: for tests, examples and single-process use.
//!
//! All clones are handles on the same records. Versions come from one counter for the whole store, so none is given twice,
//! not even when a key is removed and comes back with the same content.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure_core::message::{Versioned, When};
use tenure_core::record::Version;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{Entry, Hint, Read, Removed, Store, StoreError, Written};

/// A watcher that is further behind than this is told "something changed" instead of what.
const HINTS_KEPT: usize = 1024;

/// An in-process store with hints. Clones share the records.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    table: Mutex<Table>,
    changes: broadcast::Sender<Hint>,
}

#[derive(Debug, Default)]
struct Table {
    records: BTreeMap<String, Versioned>,
    drawn: u64,
}

impl Default for Shared {
    fn default() -> Self {
        Self { table: Mutex::default(), changes: broadcast::Sender::new(HINTS_KEPT) }
    }
}

impl Memory {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // No step on the table can panic halfway, so a poisoned one is whole.
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn announce(&self, hint: Hint) {
        // To have no listener is no failure.
        let _ = self.0.changes.send(hint);
    }
}

impl Table {
    fn holds(&self, key: &str, when: &When) -> bool {
        match (self.records.get(key), when) {
            (None, When::Absent) => true,
            (Some(record), When::Is(version)) => record.version == *version,
            (None, When::Is(_)) | (Some(_), When::Absent) => false,
        }
    }

    fn insert(&mut self, key: &str, value: Bytes) -> Version {
        self.drawn += 1;
        let version = Version::new(self.drawn.to_string());
        self.records.insert(key.to_owned(), Versioned { version: version.clone(), value });
        version
    }
}

#[async_trait]
impl Store for Memory {
    fn kind(&self) -> &'static str {
        "memory"
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        let table = self.table();
        Ok(match table.records.get(key) {
            None => Read::Absent,
            Some(record) if unless == Some(&record.version) => Read::Unchanged,
            Some(record) => Read::Found(record.clone()),
        })
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        let mut table = self.table();
        if !table.holds(key, &when) {
            return Ok(Written::Conflict);
        }
        let version = table.insert(key, value.clone());
        drop(table);
        self.announce(Hint::of(key).with(Versioned { version: version.clone(), value }));
        Ok(Written::Stored(version))
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let mut table = self.table();
        if !table.holds(key, &When::Is(version.clone())) {
            return Ok(Removed::Conflict);
        }
        table.records.remove(key);
        drop(table);
        self.announce(Hint::of(key));
        Ok(Removed::Deleted)
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        let table = self.table();
        let from = table.records.range(prefix.to_owned()..);
        let under = from.take_while(|(key, _)| key.starts_with(prefix));
        Ok(under.map(|(key, record)| Entry { key: key.clone(), record: record.clone() }).collect())
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        // The sender is dropped with the last handle; what was watched can't change any more then.
        hints_under(prefix, self.0.changes.subscribe()).chain(stream::pending()).boxed()
    }
}

fn hints_under(
    prefix: &str,
    changes: broadcast::Receiver<Hint>,
) -> impl futures_util::Stream<Item = Hint> + use<> {
    let prefix = prefix.to_owned();
    stream::unfold((changes, prefix), |(mut changes, prefix)| async move {
        loop {
            match changes.recv().await {
                Ok(hint) if hint.key.as_ref().is_none_or(|key| key.starts_with(&prefix)) => {
                    return Some((hint, (changes, prefix)));
                }
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => return Some((Hint::anything(), (changes, prefix))),
                Err(RecvError::Closed) => return None,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Subject, store_suite};

    async fn memory() -> Subject {
        let store = Memory::new();
        Subject::new(store.clone()).with_second_handle(store)
    }

    store_suite!(memory);

    #[tokio::test]
    async fn a_watcher_far_behind_is_told_to_look_at_everything() {
        let store = Memory::new();
        let mut hints = store.watch("a/");
        for number in 0..=HINTS_KEPT {
            store.put(&format!("a/{number}"), Bytes::new(), When::Absent).await.unwrap();
        }
        assert_eq!(hints.next().await, Some(Hint::anything()));
    }

    #[tokio::test]
    async fn a_hint_names_only_keys_under_its_prefix_and_brings_what_they_hold() {
        let store = Memory::new();
        let mut hints = store.watch("b/");
        store.put("a/1", Bytes::new(), When::Absent).await.unwrap();
        let written = store.put("b/1", Bytes::from_static(b"one"), When::Absent).await.unwrap();
        let hint = hints.next().await.unwrap();
        assert_eq!(hint.key.as_deref(), Some("b/1"));
        let record = hint.record.unwrap();
        assert_eq!((Written::Stored(record.version.clone()), &record.value[..]), (written, &b"one"[..]));
        store.delete("b/1", &record.version).await.unwrap();
        assert_eq!(hints.next().await, Some(Hint::of("b/1")));
    }
}
