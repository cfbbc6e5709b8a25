//! The promises of a store, each put to the test on its own key.

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use tenure::store::{Read, Removed, SharedStore, StoreError, Version, When, Written};

use super::race;
use crate::exit::{Exit, Failure};

/// A hint that takes longer is of no use.
const HINT_WITHIN: Duration = Duration::from_secs(2);

/// What a test of one promise found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The store keeps it.
    Kept,
    /// The store does without it; what that costs.
    Lacking(&'static str),
    /// The store breaks it; how.
    Broken(String),
}

impl Finding {
    pub(super) fn is_fatal(&self) -> bool {
        matches!(self, Self::Broken(_))
    }
}

/// A finding that depends on whether something held.
pub(super) fn kept_if(held: bool, otherwise: &str) -> Finding {
    if held { Finding::Kept } else { Finding::Broken(otherwise.to_owned()) }
}

/// A store under test, at a place of its own.
#[derive(Debug)]
pub(super) struct Trial {
    store: SharedStore,
    other: SharedStore,
    prefix: String,
}

impl Trial {
    /// A trial of `store`, which `other` is another handle of, among the records of `cluster`, under a name that no other trial has.
    pub(super) fn new(store: SharedStore, other: SharedStore, cluster: &str) -> Result<Self, Failure> {
        let mut bits = [0; 8];
        getrandom::fill(&mut bits).map_err(|error| {
            Failure::new(Exit::Store, format!("the system gives no random bits: {error}"))
        })?;
        let prefix = format!("{cluster}/probe/check-{:016x}/", u64::from_le_bytes(bits));
        Ok(Self { store, other, prefix })
    }

    /// Every promise, with what was found.
    pub(super) async fn all(&self) -> Result<Vec<(&'static str, Finding)>, Failure> {
        Ok(vec![
            ("creates a key only where there is none", self.creates_once().await?),
            ("replaces the version that is there", self.replaces().await?),
            ("refuses a version that is no more", self.refuses_stale().await?),
            ("never gives one version to two contents", self.names_versions_once().await?),
            ("of 16 racing creations one wins", race::creations(&self.store, &self.key("race-new")).await?),
            (
                "of 16 racing replacements one wins",
                race::replacements(&self.store, &self.key("race-old")).await?,
            ),
            ("lists what lies under a prefix, in order", self.lists().await?),
            ("removes the version named and no other", self.removes().await?),
            ("hints at changes", self.hints().await?),
        ])
    }

    /// Removes what the trial left, where the store can; what stays is small and harmless.
    pub(super) async fn tidy_up(&self) {
        for entry in self.store.list(&self.prefix).await.unwrap_or_default() {
            let _ = self.store.delete(&entry.key, &entry.record.version).await;
        }
    }

    async fn creates_once(&self) -> Result<Finding, Failure> {
        self.created("create").await?;
        let again = self.put("create", "second", When::Absent).await?;
        let held = again == Written::Conflict && self.holds("create", "first").await?;
        Ok(kept_if(held, "it created a key that was there already"))
    }

    async fn replaces(&self) -> Result<Finding, Failure> {
        let version = self.created("replace").await?;
        let written = self.put("replace", "second", When::Is(version)).await?;
        let held = written != Written::Conflict && self.holds("replace", "second").await?;
        Ok(kept_if(held, "it refused the version that it had just given"))
    }

    async fn refuses_stale(&self) -> Result<Finding, Failure> {
        let first = self.created("stale").await?;
        self.put("stale", "second", When::Is(first.clone())).await?;
        let written = self.put("stale", "third", When::Is(first)).await?;
        let held = written == Written::Conflict && self.holds("stale", "second").await?;
        Ok(kept_if(held, "it replaced a version that was no more"))
    }

    async fn names_versions_once(&self) -> Result<Finding, Failure> {
        let first = self.created("name").await?;
        let second = self.put("name", "second", When::Is(first.clone())).await?;
        let differs = |written: &Written| matches!(written, Written::Stored(version) if *version != first);
        Ok(kept_if(differs(&second), "two contents had the same version"))
    }

    async fn lists(&self) -> Result<Finding, Failure> {
        for name in ["list/b", "list/a", "list/c", "listless"] {
            self.created(name).await?;
        }
        let listed = self.store.list(&self.key("list/")).await?;
        let names: Vec<_> = listed.iter().filter_map(|entry| entry.key.strip_prefix(&self.prefix)).collect();
        Ok(kept_if(names == ["list/a", "list/b", "list/c"], &format!("it listed {names:?}")))
    }

    async fn removes(&self) -> Result<Finding, Failure> {
        let first = self.created("remove").await?;
        let Written::Stored(second) = self.put("remove", "second", When::Is(first.clone())).await? else {
            return Ok(Finding::Broken("it refused the version that it had just given".into()));
        };
        let (stale, fresh) = (self.delete("remove", &first).await?, self.delete("remove", &second).await?);
        Ok(match (stale, fresh) {
            (Removed::Unsupported, _) => Finding::Lacking("records of members long gone stay"),
            (Removed::Deleted, _) => Finding::Broken("it removed a version that was no more".into()),
            (Removed::Conflict, removed) => {
                kept_if(removed == Removed::Deleted, "it refused the version that it had just given")
            }
        })
    }

    async fn hints(&self) -> Result<Finding, Failure> {
        let mut hints = self.other.watch(&self.key("hint"));
        self.created("hint").await?;
        let heard = tokio::time::timeout(HINT_WITHIN, hints.next()).await;
        Ok(match heard {
            Ok(Some(_)) => Finding::Kept,
            Ok(None) | Err(_) => Finding::Lacking("members find changes at their next look instead"),
        })
    }

    async fn created(&self, name: &str) -> Result<Version, Failure> {
        match self.put(name, "first", When::Absent).await? {
            Written::Stored(version) => Ok(version),
            Written::Conflict => {
                let message =
                    format!("the store refused to create {}, which nobody else uses", self.key(name));
                Err(Failure::new(Exit::No, format!("{message}; it may not be used")))
            }
        }
    }

    async fn holds(&self, name: &str, value: &str) -> Result<bool, StoreError> {
        let read = self.store.get(&self.key(name), None).await?;
        Ok(matches!(read, Read::Found(record) if record.value == value))
    }

    async fn put(&self, name: &str, value: &'static str, when: When) -> Result<Written, StoreError> {
        self.store.put(&self.key(name), Bytes::from_static(value.as_bytes()), when).await
    }

    async fn delete(&self, name: &str, version: &Version) -> Result<Removed, StoreError> {
        self.store.delete(&self.key(name), version).await
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}
