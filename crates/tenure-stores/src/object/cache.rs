//! What listed objects hold, so that a listing that changed nothing costs one request.
//!
//! A listing names keys and tags, no contents. A content that was read once is kept under its tag, and is fetched again
//! only when the listing names another. What is kept is always a true pair of a version and its content, so whoever
//! comes late, or twice, or with an older pair, costs a request and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tenure::store::Versioned;

use super::body::Body;
use super::stamp::Stamp;

/// What an object held when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    pub stamp: Stamp,
    /// The record; `None` for a grave.
    pub record: Option<Bytes>,
}

impl Sight {
    pub(super) fn new(stamp: Stamp, body: Body) -> Self {
        let record = match body {
            Body::Record(record) => Some(record),
            Body::Grave => None,
        };
        Self { stamp, record }
    }

    /// The record with its version, if there is one.
    pub(super) fn versioned(self) -> Option<Versioned> {
        let value = self.record?;
        Some(Versioned { version: self.stamp.version, value })
    }
}

/// The last sight of every listed object.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<BTreeMap<String, Sight>>);

impl Cache {
    /// What `key` holds, if it is known to hold it under `tag`.
    pub(super) fn under_tag(&self, key: &str, tag: &str) -> Option<Sight> {
        self.table().get(key).filter(|sight| sight.stamp.tag == tag).cloned()
    }

    /// Keeps what a listing fetched.
    pub(super) fn keep(&self, key: &str, sight: Sight) {
        self.table().insert(key.to_owned(), sight);
    }

    /// Keeps what was met otherwise, if `key` is one that listings show: others are not worth the memory.
    pub(super) fn renew(&self, key: &str, sight: Sight) {
        if let Some(known) = self.table().get_mut(key) {
            *known = sight;
        }
    }

    /// Forgets what is under `prefix` and was not listed.
    pub(super) fn retain(&self, prefix: &str, listed: &BTreeSet<&str>) {
        self.table().retain(|key, _| !key.starts_with(prefix) || listed.contains(key.as_str()));
    }

    fn table(&self) -> MutexGuard<'_, BTreeMap<String, Sight>> {
        // No step on the table can panic halfway, so a poisoned one is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tenure::store::Version;

    use super::*;

    fn sight(tag: &str) -> Sight {
        let stamp = Stamp { version: Version::new(tag), tag: tag.into() };
        Sight { stamp, record: Some(Bytes::from(tag.to_owned())) }
    }

    #[test]
    fn only_the_content_of_the_very_tag_is_given() {
        let cache = Cache::default();
        cache.keep("a", sight("1"));
        assert_eq!(cache.under_tag("a", "1"), Some(sight("1")));
        assert_eq!(cache.under_tag("a", "2"), None);
    }

    #[test]
    fn what_no_listing_shows_is_not_kept() {
        let cache = Cache::default();
        cache.renew("a", sight("1"));
        assert_eq!(cache.under_tag("a", "1"), None);
    }

    #[test]
    fn what_is_no_longer_listed_is_forgotten() {
        let cache = Cache::default();
        for key in ["m/a", "m/b", "n/c"] {
            cache.keep(key, sight("1"));
        }
        cache.retain("m/", &BTreeSet::from(["m/b"]));
        let kept = ["m/a", "m/b", "n/c"].map(|key| cache.under_tag(key, "1").is_some());
        assert_eq!(kept, [false, true, true]);
    }
}
