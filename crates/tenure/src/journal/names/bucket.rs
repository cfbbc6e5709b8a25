//! A bucket in memory for tests, which counts, takes its time, and leaves writes unanswered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use tenure_core::entropy::Entropy;

use super::Objects;
use crate::store::{StoreError, StoreErrorKind, Version, When, Written};

/// Objects in memory. Every `unsure`-th write is carried out, or not, or later, and not answered.
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

/// How many turns of the others a write that is late waits.
const LATE: usize = 200;

/// What becomes of a write.
#[derive(Clone, Copy)]
enum Fate {
    Answered,
    Unanswered,
    Lost,
    Late,
}

impl Contents {
    fn fate(&mut self) -> Fate {
        self.writes += 1;
        let Some(every) = self.unsure.filter(|every| self.writes.is_multiple_of(*every)) else {
            return Fate::Answered;
        };
        match self.writes / every % 3 {
            0 => Fate::Unanswered,
            1 => Fate::Lost,
            _ => Fate::Late,
        }
    }

    fn write(&mut self, name: &str, bytes: Bytes, when: &When) -> Written {
        let held = self.objects.get(name).map(|(version, _)| Version::new(version.to_string()));
        let holds = match when {
            When::Absent => held.is_none(),
            When::Is(version) => held.as_ref() == Some(version),
        };
        if !holds {
            return Written::Conflict;
        }
        self.drawn += 1;
        self.objects.insert(name.into(), (self.drawn, bytes));
        Written::Stored(Version::new(self.drawn.to_string()))
    }
}

fn unanswered(name: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Indeterminate, "bucket", "put", name, "no answer")
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
        match self.with(Contents::fate) {
            Fate::Answered => Ok(self.with(|contents| contents.write(name, bytes, &when))),
            Fate::Unanswered => {
                self.with(|contents| contents.write(name, bytes, &when));
                Err(unanswered(name))
            }
            Fate::Lost => Err(unanswered(name)),
            Fate::Late => {
                let (bucket, name) = (self.clone(), name.to_owned());
                let told = unanswered(&name);
                tokio::spawn(async move {
                    for _ in 0..LATE {
                        tokio::task::yield_now().await;
                    }
                    bucket.with(|contents| contents.write(&name, bytes, &when));
                });
                Err(told)
            }
        }
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
