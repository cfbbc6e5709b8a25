//! A store in memory with a flaw.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure::store::{
    Entry, Hint, Memory, Read, Removed, Store, StoreError, StoreErrorKind, Version, Versioned, When, Written,
};
use tokio::task::yield_now;

use crate::flaw::Flaw;

/// The size of a page of a listing.
const PAGE: usize = 50;

/// A handle on a bad store.
#[derive(Debug)]
pub(crate) struct Bad {
    inner: Memory,
    flaw: Flaw,
    shared: Arc<Shared>,
    /// What this handle knew last of each key.
    cache: Mutex<BTreeMap<String, Read>>,
}

/// What both handles share.
#[derive(Debug, Default)]
struct Shared {
    calls: AtomicU64,
    /// What each key held before it held what it holds.
    former: Mutex<BTreeMap<String, Versioned>>,
    removed: Mutex<BTreeMap<String, Version>>,
}

impl Bad {
    /// Two handles on one store.
    pub(crate) fn pair(flaw: Flaw) -> (Self, Self) {
        let (inner, shared) = (Memory::new(), Arc::new(Shared::default()));
        let one =
            || Self { inner: inner.clone(), flaw, shared: Arc::clone(&shared), cache: Mutex::default() };
        (one(), one())
    }

    /// Whether the flaw shows in this call, which it does once in so many.
    fn shows(&self, flaw: Flaw, once_in: u64) -> bool {
        self.flaw == flaw && (self.shared.calls.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(once_in)
    }

    async fn present(&self, key: &str) -> Option<Versioned> {
        match self.inner.get(key, None).await.unwrap() {
            Read::Found(record) => Some(record),
            Read::Absent | Read::Unchanged => None,
        }
    }

    /// Writes whatever is there.
    async fn overwrite(&self, key: &str, value: &Bytes) -> Written {
        loop {
            let when = self.present(key).await.map_or(When::Absent, |record| When::Is(record.version));
            let written = self.inner.put(key, value.clone(), when).await.unwrap();
            if written != Written::Conflict {
                return written;
            }
        }
    }

    /// Removes whatever is there.
    async fn wipe(&self, key: &str) -> Removed {
        while let Some(record) = self.present(key).await {
            if self.inner.delete(key, &record.version).await.unwrap() == Removed::Deleted {
                break;
            }
        }
        Removed::Deleted
    }

    async fn holds(&self, key: &str, version: &Version) -> bool {
        self.present(key).await.is_some_and(|record| record.version == *version)
    }

    fn write_later(&self, key: &str, value: Bytes) -> Written {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        let late = Self { inner, flaw: Flaw::None, shared: Arc::default(), cache: Mutex::default() };
        tokio::spawn(async move {
            for _ in 0..20 {
                yield_now().await;
            }
            late.overwrite(&key, &value).await
        });
        Written::Stored(Version::new("soon"))
    }
}

fn former_of(shared: &Shared, key: &str) -> Option<Versioned> {
    shared.former.lock().unwrap().get(key).cloned()
}

#[async_trait]
impl Store for Bad {
    fn kind(&self) -> &'static str {
        "bad"
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        if unless.is_some() && self.shows(Flaw::UnchangedRarely, 50) {
            return Ok(Read::Unchanged);
        }
        let was_removed = || self.shared.removed.lock().unwrap().get(key) == unless;
        if self.flaw == Flaw::UnchangedThoughRemoved && unless.is_some() && was_removed() {
            return Ok(Read::Unchanged);
        }
        if self.shows(Flaw::ReadOld, 200)
            && let Some(former) = former_of(&self.shared, key)
        {
            return Ok(Read::Found(former));
        }
        if self.shows(Flaw::ReadCached, 100)
            && let Some(known) = self.cache.lock().unwrap().get(key)
        {
            return Ok(known.clone());
        }
        let read = self.inner.get(key, unless).await?;
        if read != Read::Unchanged {
            self.cache.lock().unwrap().insert(key.to_owned(), read.clone());
        }
        Ok(read)
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        let before = self.present(key).await;
        let is_due = match (&before, &when) {
            (None, When::Absent) => true,
            (Some(record), When::Is(version)) => record.version == *version,
            (None, When::Is(_)) | (Some(_), When::Absent) => false,
        };
        if is_due && self.shows(Flaw::WriteLost, 1_000) {
            return Ok(Written::Stored(Version::new("lost")));
        }
        if is_due && self.shows(Flaw::WriteLate, 500) {
            return Ok(self.write_later(key, value));
        }
        if is_due && self.flaw == Flaw::ReplacementInTwoSteps && when != When::Absent {
            yield_now().await;
            return Ok(self.overwrite(key, &value).await);
        }
        let written = self.inner.put(key, value, when).await?;
        if written == Written::Conflict {
            return Ok(written);
        }
        if let Some(before) = before {
            self.shared.former.lock().unwrap().insert(key.to_owned(), before);
        }
        if self.shows(Flaw::ConflictThoughLanded, 100) {
            return Ok(Written::Conflict);
        }
        if self.shows(Flaw::UnavailableThoughLanded, 100) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "bad", "put", key, "try again"));
        }
        Ok(written)
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        if self.flaw == Flaw::RemovalInTwoSteps && self.holds(key, version).await {
            yield_now().await;
            return Ok(self.wipe(key).await);
        }
        let removed = self.inner.delete(key, version).await?;
        if removed == Removed::Deleted {
            self.shared.removed.lock().unwrap().insert(key.to_owned(), version.clone());
        }
        Ok(removed)
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        if self.flaw == Flaw::ListSlips {
            let mut entries: Vec<Entry> = Vec::new();
            loop {
                let page = self.inner.list(prefix).await?.into_iter().skip(entries.len()).take(PAGE);
                let before = entries.len();
                entries.extend(page);
                if entries.len() == before {
                    return Ok(entries);
                }
                yield_now().await;
            }
        }
        let mut entries = self.inner.list(prefix).await?;
        if self.flaw == Flaw::ListCut {
            entries.truncate(100);
        }
        if self.shows(Flaw::ListMixes, 10) {
            for entry in &mut entries {
                if let Some(former) = former_of(&self.shared, &entry.key) {
                    entry.record.value = former.value;
                }
            }
        }
        Ok(entries)
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        let hints = self.inner.watch(prefix);
        if self.flaw == Flaw::WatchDies { hints.take(3).chain(stream::pending()).boxed() } else { hints }
    }
}
