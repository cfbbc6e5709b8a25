//! A bucket in memory for tests, which counts, takes its time, and leaves writes unanswered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use tenure_core::entropy::Entropy;

use super::Objects;
use crate::store::{StoreError, StoreErrorKind, Version, When, Written};

/// Objects in memory. Every `unsure`-th write is carried out or not, and not answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Bucket(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) objects: BTreeMap<String, (u64, Bytes)>,
    drawn: u64,
    writes: u64,
    pub(super) unsure: Option<u64>,
    /// What draws how long a call takes, in turns of the others; `None` if all are answered at once.
    turns: Option<Entropy>,
    asked: BTreeMap<&'static str, u64>,
}

impl Bucket {
    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Contents) -> T) -> T {
        act(&mut self.0.lock().unwrap())
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.with(|contents| contents.objects.keys().cloned().collect())
    }

    /// A bucket whose calls take turns as `seed` says.
    pub(super) fn taking_turns(seed: u64) -> Self {
        let bucket = Self::default();
        bucket.with(|contents| contents.turns = Some(Entropy::new(seed.into())));
        bucket
    }

    async fn count(&self, what: &'static str) {
        self.with(|contents| *contents.asked.entry(what).or_default() += 1);
        while self.with(|contents| contents.turns.as_mut().is_some_and(|turns| turns.share() < 0.5)) {
            tokio::task::yield_now().await;
        }
    }

    pub(super) fn asked(&self) -> BTreeMap<&'static str, u64> {
        self.with(|contents| std::mem::take(&mut contents.asked))
    }
}

#[async_trait]
impl Objects for Bucket {
    fn kind(&self) -> &'static str {
        "bucket"
    }

    async fn read(&self, name: &str) -> Result<Option<(Version, Bytes)>, StoreError> {
        self.count("get").await;
        let found = self.with(|contents| contents.objects.get(name).cloned());
        Ok(found.map(|(version, bytes)| (Version::new(version.to_string()), bytes)))
    }

    async fn write(&self, name: &str, bytes: Bytes, when: When) -> Result<Written, StoreError> {
        self.count("put").await;
        self.with(|contents| {
            contents.writes += 1;
            let unanswered = contents.unsure.is_some_and(|every| contents.writes % every == 0);
            let lands = !unanswered || contents.writes % 2 == 0;
            let held = contents.objects.get(name).map(|(version, _)| Version::new(version.to_string()));
            let holds = match when {
                When::Absent => held.is_none(),
                When::Is(version) => held == Some(version),
            };
            if lands && holds {
                contents.drawn += 1;
                contents.objects.insert(name.into(), (contents.drawn, bytes));
            }
            if unanswered {
                return Err(StoreError::new(
                    StoreErrorKind::Indeterminate,
                    "bucket",
                    "put",
                    name,
                    "no answer",
                ));
            }
            Ok(if holds {
                Written::Stored(Version::new(contents.drawn.to_string()))
            } else {
                Written::Conflict
            })
        })
    }

    async fn remove(&self, names: &[String]) -> Result<(), StoreError> {
        self.count("delete").await;
        self.with(|contents| names.iter().for_each(|name| drop(contents.objects.remove(name))));
        Ok(())
    }

    async fn list(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        self.count("list").await;
        let names = self.names().into_iter();
        Ok(names.filter(|name| name.starts_with(prefix) && name.as_str() > after).take(limit).collect())
    }
}
