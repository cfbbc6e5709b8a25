//! The handle that members use.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use tenure::store::{
    Entry, Hint, Operation, Read, Removed, Store, StoreError, Version, Versioned, When, Written,
};

use super::client::Client;
use super::error::{KIND, Trouble};
use super::message::{KeyValue, TxnRequest};
use super::range::{create, one, one_unless, remove, replace, revision_of, version_of};
use super::{listing, open, watch};
use crate::trouble::StoreTrouble;

/// A store in an etcd cluster. Clones share one connection.
#[derive(Clone, Debug)]
pub struct EtcdStore {
    client: Arc<Client>,
}

impl EtcdStore {
    /// Opens the store that an address such as `etcd://host:2379,host:2379/orders` names, and asks etcd something harmless:
    /// what is wrong with address, credentials, permissions or encryption shows here.
    ///
    /// # Errors
    /// Says what is wrong and what to do about it.
    pub async fn open_url(address: &str) -> Result<Self, StoreError> {
        let (client, _) = open::open(address).await?;
        Ok(Self { client: Arc::new(client) })
    }

    /// Opens the store that an address names if there is something in it: for those who only look.
    ///
    /// # Errors
    /// As [`Self::open_url`], and if nothing is there.
    pub async fn open_existing_url(address: &str) -> Result<Self, StoreError> {
        match open::open(address).await? {
            (client, 0) => Err(open::empty(address, client.root.as_str())),
            (client, _) => Ok(Self { client: Arc::new(client) }),
        }
    }

    async fn read(&self, key: &str, unless: Option<i64>) -> Result<Read, Trouble> {
        let path = self.client.root.path(key);
        let Some(revision) = unless else {
            return Ok(found(self.client.range(one(path)).await?.kvs));
        };
        let answer = self.client.look(one_unless(path, revision)).await?;
        if answer.succeeded {
            return Ok(Read::Unchanged);
        }
        let range = answer.responses.into_iter().find_map(|response| response.range);
        Ok(found(range.unwrap_or_default().kvs))
    }

    /// Carries out what `request` asks for; the revision of that, if its condition held.
    async fn change(&self, path: Bytes, request: TxnRequest) -> Result<Option<i64>, Trouble> {
        let writing = self.client.own.begin(path);
        let answer = self.client.change(request).await?;
        if !answer.succeeded {
            return Ok(None);
        }
        let revision = answer.header.unwrap_or_default().revision;
        writing.landed(revision);
        Ok(Some(revision))
    }

    async fn write(&self, key: &str, value: Bytes, when: &When) -> Result<Written, Trouble> {
        let path = self.client.root.path(key);
        let request = match when {
            When::Absent => create(path.clone(), value),
            When::Is(version) => match revision_of(version) {
                Some(revision) => replace(path.clone(), value, revision),
                None => return Ok(Written::Conflict),
            },
        };
        let landed = self.change(path, request).await?;
        Ok(landed.map_or(Written::Conflict, |revision| Written::Stored(version_of(revision))))
    }

    async fn remove(&self, key: &str, version: &Version) -> Result<Removed, Trouble> {
        let Some(revision) = revision_of(version) else {
            return Ok(Removed::Conflict);
        };
        let path = self.client.root.path(key);
        let landed = self.change(path.clone(), remove(path, revision)).await?;
        Ok(landed.map_or(Removed::Conflict, |_| Removed::Deleted))
    }
}

fn found(kvs: Vec<KeyValue>) -> Read {
    kvs.into_iter().next().map_or(Read::Absent, |kv| {
        Read::Found(Versioned { version: version_of(kv.mod_revision), value: kv.value })
    })
}

#[async_trait]
impl Store for EtcdStore {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        let read = self.read(key, unless.and_then(revision_of)).await;
        read.map_err(|trouble| trouble.in_call(Operation::Get, key))
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        let written = self.write(key, value, &when).await;
        written.map_err(|trouble| trouble.in_call(Operation::Put, key))
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let removed = self.remove(key, version).await;
        removed.map_err(|trouble| trouble.in_call(Operation::Delete, key))
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        let entries = listing::list(&self.client, prefix).await;
        entries.map_err(|trouble| trouble.in_call(Operation::List, prefix))
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        watch::watch(Arc::clone(&self.client), prefix)
    }
}
