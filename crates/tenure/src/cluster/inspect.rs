//! Looks into every record of a cluster for what can't be used, and moves it aside where that is harmless.
//!
//! What is wrong and what may be done is decided by [`tenure_core::record::inspect`]; here the records are read, and one of them is
//! written over, or removed, at the very version that was judged. Strays are told of as well: records among the members, under
//! names that no member can have. Somebody wrote them by hand.

use std::sync::Arc;

use bytes::Bytes;
use tenure_core::ids::ClusterName;
use tenure_core::message::{Versioned, When};
use tenure_core::record::{Blemish, Key, Meta, Remedy, Version, inspect};

use super::Cluster;
use super::look::PATIENCE;
use crate::clock::Clock;
use crate::driver::Location;
use crate::error::Error;
use crate::store::layer::Timeout;
use crate::store::{Read, Removed, SharedStore, Store, StoreErrorKind, Written};

/// A record with something wrong in it.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Its key, within the cluster.
    pub key: String,
    /// The version that was looked at.
    pub version: Version,
    /// What it holds.
    pub value: Bytes,
    /// What is wrong with it.
    pub blemish: Blemish,
}

/// What an inspection found.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// How many records were looked into.
    pub records: usize,
    /// Those with something wrong, in the order of their keys.
    pub broken: Vec<Broken>,
    /// Pages that are not there though they should be.
    pub missing: Vec<String>,
}

/// What became of a record that was to be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mended {
    /// It was done.
    Done,
    /// Somebody wrote the record meanwhile, or that is not known: inspect again.
    Changed,
    /// This store can't remove a record under a condition: remove it by the store's own means.
    Unsupported,
    /// Somebody has to decide.
    Left,
}

/// The records of one cluster, to be looked into one by one. Members may run meanwhile.
pub struct Inspector {
    store: SharedStore,
    location: Location,
}

impl std::fmt::Debug for Inspector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inspector").field("location", &self.location).finish_non_exhaustive()
    }
}

impl Inspector {
    /// Looks at the cluster `name` in `store`.
    pub fn new(store: impl Store, name: &ClusterName) -> Self {
        let store: SharedStore = Arc::new(Timeout::new(store, Clock::boot(), PATIENCE));
        Self { store, location: Location::of(name) }
    }

    /// Reads every record; `None` if the store has no such cluster.
    ///
    /// # Errors
    /// The store's own.
    pub async fn inspect(&self) -> Result<Option<Inspection>, Error> {
        let mut found = Inspection::default();
        let Some(record) = self.read(&Key::Meta).await? else { return Ok(None) };
        let meta = Meta::decode(&record.value).ok();
        found.judge(Key::Meta.to_string(), record, inspect_as(&Key::Meta, None));
        self.pages(meta.as_ref(), &mut found).await?;
        self.members(meta.as_ref(), &mut found).await?;
        Ok(Some(found))
    }

    async fn pages(&self, meta: Option<&Meta>, found: &mut Inspection) -> Result<(), Error> {
        for number in 0..meta.map_or(0, Meta::pages) {
            let key = Key::Page(number);
            match self.read(&key).await? {
                Some(record) => found.judge(key.to_string(), record, inspect_as(&key, meta)),
                None => found.missing.push(key.to_string()),
            }
        }
        Ok(())
    }

    async fn members(&self, meta: Option<&Meta>, found: &mut Inspection) -> Result<(), Error> {
        for entry in self.store.list(&format!("{}{}", self.location.prefix(), Key::MEMBERS)).await? {
            let name = entry.key.strip_prefix(self.location.prefix()).unwrap_or(&entry.key).to_owned();
            match self.location.key(&entry.key) {
                Some(key) => found.judge(name, entry.record, inspect_as(&key, meta)),
                None => found.judge(name, entry.record, |_| Some(stray())),
            }
        }
        Ok(())
    }

    async fn read(&self, key: &Key) -> Result<Option<Versioned>, Error> {
        Ok(match self.store.get(&self.location.path(key), None).await? {
            Read::Found(found) => Some(found),
            Read::Absent | Read::Unchanged => None,
        })
    }

    /// Moves what is broken aside, if the record has not changed since it was looked at. Keep its bytes before.
    ///
    /// # Errors
    /// The store's own.
    pub async fn mend(&self, broken: &Broken) -> Result<Mended, Error> {
        let path = format!("{}{}", self.location.prefix(), broken.key);
        let ended = match &broken.blemish.remedy {
            Remedy::Rewrite(bytes) => self.rewrite(&path, bytes.clone(), broken.version.clone()).await,
            Remedy::Remove => self.store.delete(&path, &broken.version).await.map(removed),
            Remedy::Person(_) => return Ok(Mended::Left),
        };
        match ended {
            Err(error) if error.kind == StoreErrorKind::Indeterminate => Ok(Mended::Changed),
            ended => Ok(ended?),
        }
    }

    async fn rewrite(
        &self,
        path: &str,
        bytes: Bytes,
        version: Version,
    ) -> Result<Mended, crate::store::StoreError> {
        Ok(match self.store.put(path, bytes, When::Is(version)).await? {
            Written::Stored(_) => Mended::Done,
            Written::Conflict => Mended::Changed,
        })
    }
}

fn removed(removed: Removed) -> Mended {
    match removed {
        Removed::Deleted => Mended::Done,
        Removed::Conflict => Mended::Changed,
        Removed::Unsupported => Mended::Unsupported,
    }
}

fn inspect_as<'a>(key: &'a Key, meta: Option<&'a Meta>) -> impl FnOnce(&[u8]) -> Option<Blemish> + 'a {
    move |bytes| inspect(key, bytes, meta)
}

fn stray() -> Blemish {
    Blemish { what: "no member can have that name".into(), means: "nobody reads it", remedy: Remedy::Remove }
}

impl Inspection {
    /// Whether every record is there and can be used.
    pub fn is_whole(&self) -> bool {
        self.broken.is_empty() && self.missing.is_empty()
    }

    fn judge(&mut self, key: String, record: Versioned, judge: impl FnOnce(&[u8]) -> Option<Blemish>) {
        self.records += 1;
        if let Some(blemish) = judge(&record.value) {
            self.broken.push(Broken { key, version: record.version, value: record.value, blemish });
        }
    }
}

impl Cluster {
    /// What is wrong with the names of records among the members, in words, one for each. Members leave such records out, and
    /// so does [`look`](Self::look): they are nobody's lease. A name is quoted, for it may hold anything.
    ///
    /// # Errors
    /// The store's own.
    pub async fn strays(&mut self) -> Result<Vec<String>, Error> {
        let prefix = format!("{}{}", self.location.prefix(), Key::MEMBERS);
        let entries = self.store.list(&prefix).await?;
        let names = entries.iter().filter(|entry| self.location.key(&entry.key).is_none());
        Ok(names.map(|entry| told(entry.key.strip_prefix(&prefix).unwrap_or(&entry.key))).collect())
    }
}

fn told(name: &str) -> String {
    format!(
        "a member's record is named {name:?}: no member can have that name, and nobody reads it; remove it"
    )
}
