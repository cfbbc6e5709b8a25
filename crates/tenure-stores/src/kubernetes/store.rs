//! The handle that members use.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Client;
use tenure::clock::Clock;
use tenure::store::{
    Entry, Hint, Operation, Read, Removed, Store, StoreError, Version, When, Witness, Written,
};

use super::error::{KIND, Trouble};
use super::kept::{Draft, Kept};
use super::place::{Kinds, Place, is_member, kinds};
use super::pod::Pod;
use super::shelf::Shelf;
use super::watch::{Lookout, hints};
use super::witness::PodWitness;
use crate::trouble::StoreTrouble;

/// No call takes longer; its caller's own limit is usually much shorter.
const CALL_LIMIT: Duration = Duration::from_secs(30);

/// A store in the API server of a Kubernetes cluster. Clones share connections.
#[derive(Clone)]
pub struct KubernetesStore(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) shown: String,
    pub(super) client: Client,
    pub(super) place: Place,
    pub(super) pod: Option<Pod>,
    pub(super) leases: Shelf<Lease>,
    pub(super) maps: Shelf<ConfigMap>,
    pub(super) witness: Option<Arc<PodWitness>>,
}

impl KubernetesStore {
    async fn entries<K: Kept>(&self, shelf: &Shelf<K>, prefix: &str) -> Result<Vec<Entry>, Trouble> {
        let listed = shelf.list(&self.0.place.selector(prefix)).await?;
        let entry = |(meta, record)| {
            let key = self.0.place.key(&meta).filter(|key| key.starts_with(prefix))?;
            Some(Entry { key, record })
        };
        Ok(listed.into_iter().filter_map(entry).collect())
    }

    async fn listed(&self, prefix: &str) -> Result<Vec<Entry>, Trouble> {
        let Inner { leases, maps, .. } = &*self.0;
        let mut entries = match kinds(prefix) {
            Kinds::Leases => self.entries(leases, prefix).await?,
            Kinds::Maps => self.entries(maps, prefix).await?,
            Kinds::Both => {
                let (mut members, others) =
                    futures_util::try_join!(self.entries(leases, prefix), self.entries(maps, prefix))?;
                members.extend(others);
                members
            }
        };
        entries.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        Ok(entries)
    }

    async fn write<K: Kept>(
        &self,
        shelf: &Shelf<K>,
        key: &str,
        value: Bytes,
        when: &When,
    ) -> Result<Written, Trouble> {
        let meta = self.0.place.meta(key).ok_or(Trouble::NoName)?;
        let draft = Draft { key, meta, value, pod: self.0.pod.as_ref() };
        match when {
            When::Absent => shelf.create(draft).await,
            When::Is(version) => shelf.replace(draft, version).await,
        }
    }

    fn name(&self, key: &str) -> Result<String, Trouble> {
        self.0.place.name(key).ok_or(Trouble::NoName)
    }
}

#[async_trait]
impl Store for KubernetesStore {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        let call = async {
            let name = self.name(key)?;
            match is_member(key) {
                true => self.0.leases.get(&name, unless).await,
                false => self.0.maps.get(&name, unless).await,
            }
        };
        within(CALL_LIMIT, call).await.map_err(|trouble| trouble.in_call(Operation::Get, key))
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        let call = async {
            match is_member(key) {
                true => self.write(&self.0.leases, key, value, &when).await,
                false => self.write(&self.0.maps, key, value, &when).await,
            }
        };
        within(CALL_LIMIT, call).await.map_err(|trouble| trouble.in_call(Operation::Put, key))
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let call = async {
            let name = self.name(key)?;
            match is_member(key) {
                true => self.0.leases.delete(&name, version).await,
                false => self.0.maps.delete(&name, version).await,
            }
        };
        within(CALL_LIMIT, call).await.map_err(|trouble| trouble.in_call(Operation::Delete, key))
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        let listed = within(CALL_LIMIT, self.listed(prefix)).await;
        listed.map_err(|trouble| trouble.in_call(Operation::List, prefix))
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        let lookout = Lookout { place: self.0.place.clone(), prefix: prefix.into() };
        let leases = || hints(self.0.client.clone(), &self.0.leases, lookout.clone());
        let maps = || hints(self.0.client.clone(), &self.0.maps, lookout.clone());
        match kinds(prefix) {
            Kinds::Leases => leases(),
            Kinds::Maps => maps(),
            Kinds::Both => stream::select(leases(), maps()).boxed(),
        }
    }

    fn witness(&self) -> Option<Arc<dyn Witness>> {
        self.0.witness.clone().map(|witness| witness as Arc<dyn Witness>)
    }
}

pub(super) async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, Trouble>>,
) -> Result<T, Trouble> {
    Clock::boot().timeout(limit, work).await.unwrap_or(Err(Trouble::Late(limit)))
}

impl fmt::Debug for KubernetesStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KubernetesStore").field(&self.0.shown).finish()
    }
}
