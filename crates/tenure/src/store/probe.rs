//! A quick check, at each first join, that a store keeps its word.
//!
//! Everything rests on the store refusing a write whose precondition does not hold. Some don't: a proxy that strips the
//! condition, an old object store that ignores it, a wrong setting. Such a store gives two members one shard, silently; so it
//! is found out before the first record is written, and not used.

use bytes::Bytes;
use tenure_core::message::When;
use tenure_core::record::Version;

use super::{Read, Removed, Store, StoreError, StoreErrorKind, Written};

/// Checks that `store` refuses to create a key that exists, and to replace or remove a version that is no more.
///
/// It writes `<prefix>probe/<name>` and removes it again, where the store can. The name must be this process's own: two
/// probes of one name at once would take each other for a broken store. A leftover of an earlier probe does no harm.
///
/// # Errors
/// [`StoreErrorKind::Incompatible`] if the store ignores preconditions; any other error is the store's own, and the probe can
/// be tried again under another name.
pub async fn probe(store: &dyn Store, prefix: &str, name: &str) -> Result<(), StoreError> {
    let probe = Probe { store, key: format!("{prefix}probe/{name}") };
    let first = probe.create().await?;
    probe.must_refuse("first", When::Absent, "created a key that exists").await?;
    let second = probe.replace(&first).await?;
    probe.must_refuse("third", When::Is(first.clone()), "replaced a version that is no more").await?;
    probe.must_still_hold(&second).await?;
    probe.remove(&first, &second).await
}

struct Probe<'a> {
    store: &'a dyn Store,
    key: String,
}

impl Probe<'_> {
    async fn create(&self) -> Result<Version, StoreError> {
        match self.put("first", When::Absent).await? {
            Written::Stored(version) => Ok(version),
            Written::Conflict => self.leftover().await,
        }
    }

    async fn leftover(&self) -> Result<Version, StoreError> {
        match self.store.get(&self.key, None).await? {
            Read::Found(record) => Ok(record.version),
            Read::Absent | Read::Unchanged => Err(self.broken("refused to create a key that does not exist")),
        }
    }

    async fn replace(&self, version: &Version) -> Result<Version, StoreError> {
        match self.put("second", When::Is(version.clone())).await? {
            Written::Stored(second) if second != *version => Ok(second),
            Written::Stored(_) => Err(self.broken("gave one version to two contents")),
            Written::Conflict => Err(self.broken("refused to replace the version that it had just given")),
        }
    }

    async fn must_refuse(
        &self,
        value: &'static str,
        when: When,
        sin: &'static str,
    ) -> Result<(), StoreError> {
        match self.put(value, when).await? {
            Written::Conflict => Ok(()),
            Written::Stored(_) => Err(self.broken(sin)),
        }
    }

    async fn must_still_hold(&self, version: &Version) -> Result<(), StoreError> {
        match self.store.get(&self.key, None).await? {
            Read::Found(record) if record.version == *version && record.value == "second" => Ok(()),
            Read::Found(_) | Read::Absent | Read::Unchanged => {
                Err(self.broken("did not keep what it had stored"))
            }
        }
    }

    async fn remove(&self, first: &Version, second: &Version) -> Result<(), StoreError> {
        if self.store.delete(&self.key, first).await? == Removed::Deleted {
            return Err(self.broken("removed a version that is no more"));
        }
        match self.store.delete(&self.key, second).await? {
            Removed::Deleted | Removed::Unsupported => Ok(()),
            Removed::Conflict => Err(self.broken("refused to remove the version that it had just given")),
        }
    }

    async fn put(&self, value: &'static str, when: When) -> Result<Written, StoreError> {
        self.store.put(&self.key, Bytes::from_static(value.as_bytes()), when).await
    }

    fn broken(&self, sin: &str) -> StoreError {
        let message = format!(
            "store ignores preconditions: do not use (it {sin}); check for a proxy or a setting between this process and the store"
        );
        StoreError::new(StoreErrorKind::Incompatible, self.store.kind(), "probe", &self.key, message)
    }
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod tests;
