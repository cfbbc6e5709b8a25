//! The objects of one kind: how a record is read, written, removed and listed.
//!
//! A listing comes from the API server's watch cache, which costs it neither a quorum read nor the decoding of every object of
//! the namespace. It may be old, but not older than the newest version that this handle has met: the cache is told to wait
//! for that. Versions of Leases and of ConfigMaps are not mixed up, for each kind's cache knows only its own. Should the cache
//! fail to answer, the next listing is a quorum read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::{Api, DeleteParams, ListParams, PostParams, VersionMatch};
use kube::{Client, ResourceExt};
use tenure::store::{Read, Removed, Version, Versioned, Written};

use super::answer::{is_missing, trouble};
use super::error::{Request, Trouble};
use super::kept::{Draft, Kept};
use super::version::{demand, preconditions, version_of};

/// All objects of one kind in a namespace.
#[derive(Clone, Debug)]
pub(super) struct Shelf<K> {
    api: Api<K>,
    namespace: String,
    cache: Arc<Cache>,
}

/// What this handle knows of the API server's watch cache.
#[derive(Debug)]
struct Cache {
    /// The greatest resourceVersion that was met; 0 for none.
    met: AtomicU64,
    /// Whether the last listing from the cache was answered.
    answers: AtomicBool,
}

impl<K: Kept> Shelf<K> {
    pub(super) fn new(client: Client, namespace: &str) -> Self {
        let cache = Cache { met: AtomicU64::new(0), answers: AtomicBool::new(true) };
        Self { api: Api::namespaced(client, namespace), namespace: namespace.into(), cache: Arc::new(cache) }
    }

    /// A request to this shelf, for messages.
    pub(super) fn request(&self, verb: &'static str) -> Request {
        Request { verb, resource: K::resource(), namespace: self.namespace.clone() }
    }

    /// Of a record that is known, the metadata tell whether it is still there: a page is not sent in vain.
    pub(super) async fn get(&self, name: &str, unless: Option<&Version>) -> Result<Read, Trouble> {
        if unless.is_some() && !K::IN_METADATA {
            let Some(found) = self.unless_missing(name, self.api.get_metadata(name).await)? else {
                return Ok(Read::Absent);
            };
            if version_of(&found.metadata).as_ref() == unless {
                return Ok(Read::Unchanged);
            }
        }
        let Some(object) = self.unless_missing(name, self.api.get(name).await)? else {
            return Ok(Read::Absent);
        };
        let record = self.record(&object).ok_or_else(|| Trouble::Stranger(self.called(name)))?;
        Ok(if unless == Some(&record.version) { Read::Unchanged } else { Read::Found(record) })
    }

    /// What a read brought; none if the API server itself says that nothing is there.
    fn unless_missing<T>(&self, name: &str, answer: kube::Result<T>) -> Result<Option<T>, Trouble> {
        match answer {
            Err(kube::Error::Api(status)) if is_missing(&status, name) => Ok(None),
            answer => answer.map(Some).map_err(|error| self.trouble("get", error)),
        }
    }

    /// Creates the object of `draft`, which must not be there.
    pub(super) async fn create(&self, draft: Draft<'_>) -> Result<Written, Trouble> {
        let object = K::wrap(draft)?;
        self.written("create", self.api.create(&as_tenure(), &object).await)
    }

    /// Replaces the very `version` by `draft`.
    pub(super) async fn replace(&self, mut draft: Draft<'_>, version: &Version) -> Result<Written, Trouble> {
        if !demand(&mut draft.meta, version) {
            return Ok(Written::Conflict);
        }
        let object = K::wrap(draft)?;
        let name = object.name_any();
        match self.api.replace(&name, &as_tenure(), &object).await {
            Err(kube::Error::Api(status)) if is_missing(&status, &name) => Ok(Written::Conflict),
            answer => self.written("update", answer),
        }
    }

    fn written(&self, verb: &'static str, answer: kube::Result<K>) -> Result<Written, Trouble> {
        match answer {
            Ok(object) => {
                self.meet(object.meta());
                let version = version_of(object.meta());
                version.map(Written::Stored).ok_or_else(|| Trouble::Garbled("no version came back".into()))
            }
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(Written::Conflict),
            Err(error) => Err(self.trouble(verb, error)),
        }
    }

    /// Removes the very `version`.
    pub(super) async fn delete(&self, name: &str, version: &Version) -> Result<Removed, Trouble> {
        let Some(conditions) = preconditions(version) else { return Ok(Removed::Conflict) };
        let demand = DeleteParams::default().preconditions(conditions);
        match self.api.delete(name, &demand).await {
            Ok(_) => Ok(Removed::Deleted),
            Err(kube::Error::Api(status)) if status.code == 409 || is_missing(&status, name) => {
                Ok(Removed::Conflict)
            }
            Err(error) => Err(self.trouble("delete", error)),
        }
    }

    /// All objects that `selector` selects, with their records; strangers' are left out.
    pub(super) async fn list(&self, selector: &str) -> Result<Vec<(ObjectMeta, Versioned)>, Trouble> {
        let all = ListParams::default().labels(selector);
        let answer = match self.cache.trusted() {
            Some(met) => self.api.list(&all.clone().at(&met).matching(VersionMatch::NotOlderThan)).await,
            None => self.api.list(&all).await,
        };
        let answer = match answer {
            Err(kube::Error::Api(status)) if status.code == TOO_NEW => {
                self.cache.forget();
                self.api.list(&all).await
            }
            answer => answer,
        };
        let listed = answer.map_err(|error| self.trouble("list", error))?;
        self.cache.answered();
        Ok(listed
            .items
            .into_iter()
            .filter_map(|object| Some((object.meta().clone(), self.record(&object)?)))
            .collect())
    }

    /// Whether `selector` selects anything: also a test of whether this user may list at all.
    pub(super) async fn has_any(&self, selector: &str) -> Result<bool, Trouble> {
        let one = ListParams::default().labels(selector).limit(1);
        let listed = self.api.list_metadata(&one).await.map_err(|error| self.trouble("list", error))?;
        Ok(!listed.items.is_empty())
    }

    fn trouble(&self, verb: &'static str, error: kube::Error) -> Trouble {
        trouble(error, &self.request(verb))
    }

    fn record(&self, object: &K) -> Option<Versioned> {
        self.meet(object.meta());
        Some(Versioned { version: version_of(object.meta())?, value: object.content()? })
    }

    fn meet(&self, meta: &ObjectMeta) {
        let met = meta.resource_version.as_ref().and_then(|revision| revision.parse().ok());
        self.cache.met.fetch_max(met.unwrap_or(0), Ordering::Relaxed);
    }

    fn called(&self, name: &str) -> String {
        format!("{} {}/{name}", K::resource(), self.namespace)
    }
}

impl Cache {
    /// From which version on the cache may answer; `None` if it is not to be asked. A listing that was not answered, because
    /// its caller gave up or for whatever reason, is followed by a quorum read.
    fn trusted(&self) -> Option<String> {
        if !self.answers.swap(false, Ordering::Relaxed) {
            self.forget();
        }
        let met = self.met.load(Ordering::Relaxed);
        (met > 0).then(|| met.to_string())
    }

    fn answered(&self) {
        self.answers.store(true, Ordering::Relaxed);
    }

    /// What was met may never come to the cache: the database may have been restored from an older state.
    fn forget(&self) {
        self.met.store(0, Ordering::Relaxed);
    }
}

/// What the API server answers when its cache does not get to the version that it must wait for.
const TOO_NEW: u16 = 504;

fn as_tenure() -> PostParams {
    PostParams { field_manager: Some("tenure".into()), ..PostParams::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_that_did_not_answer_is_passed_over_once() {
        let cache = Cache { met: AtomicU64::new(7), answers: AtomicBool::new(true) };
        assert_eq!(cache.trusted().as_deref(), Some("7"));
        assert_eq!(cache.trusted(), None, "the first listing was given up");
        cache.answered();
        cache.met.store(8, Ordering::Relaxed);
        assert_eq!(cache.trusted().as_deref(), Some("8"));
    }

    #[test]
    fn a_handle_that_has_met_nothing_reads_by_quorum() {
        let cache = Cache { met: AtomicU64::new(0), answers: AtomicBool::new(true) };
        assert_eq!(cache.trusted(), None);
    }
}
