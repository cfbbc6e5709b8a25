//! Where this store's keys are in etcd, and what is asked about them.

use bytes::Bytes;
use tenure::store::Version;

use super::message::{
    Act, Compare, DeleteRangeRequest, Expected, PutRequest, RangeRequest, Step, Target, TxnRequest,
};

/// The prefix of all this store's keys; it ends with a slash.
#[derive(Clone, Debug)]
pub(super) struct Root(String);

impl Root {
    pub(super) fn new(prefix: &str) -> Self {
        Self(format!("{prefix}/"))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Where `key` is in etcd.
    pub(super) fn path(&self, key: &str) -> Bytes {
        Bytes::from(format!("{}{key}", self.0))
    }

    /// The key that is at `path`; none if it is not one of this store's.
    pub(super) fn key(&self, path: &[u8]) -> Option<String> {
        let key = path.strip_prefix(self.0.as_bytes())?;
        String::from_utf8(key.to_vec()).ok()
    }
}

/// The first key that does not begin with `prefix`; one zero byte means the end of all keys.
pub(super) fn after(prefix: &[u8]) -> Bytes {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return end.into();
        }
    }
    Bytes::from_static(&[0])
}

/// The revision that a version names; none if no record can have it. Zero would mean "not there" to etcd.
pub(super) fn revision_of(version: &Version) -> Option<i64> {
    version.as_str().parse().ok().filter(|revision| *revision > 0)
}

pub(super) fn version_of(revision: i64) -> Version {
    Version::new(revision.to_string())
}

pub(super) fn one(path: Bytes) -> RangeRequest {
    RangeRequest { key: path, ..RangeRequest::default() }
}

/// Reads `path` unless it is still at `revision`.
pub(super) fn one_unless(path: Bytes, revision: i64) -> TxnRequest {
    let compare = vec![is_at(path.clone(), revision)];
    TxnRequest { compare, success: Vec::new(), failure: vec![step(Act::Range(one(path)))] }
}

pub(super) fn count(root: &Root) -> RangeRequest {
    let key = root.path("");
    RangeRequest { range_end: after(&key), key, count_only: true, ..RangeRequest::default() }
}

pub(super) fn create(path: Bytes, value: Bytes) -> TxnRequest {
    when(is_absent(path.clone()), put(path, value))
}

pub(super) fn replace(path: Bytes, value: Bytes, revision: i64) -> TxnRequest {
    when(is_at(path.clone(), revision), put(path, value))
}

pub(super) fn remove(path: Bytes, revision: i64) -> TxnRequest {
    when(is_at(path.clone(), revision), step(Act::Delete(DeleteRangeRequest { key: path })))
}

fn when(compare: Compare, then: Step) -> TxnRequest {
    TxnRequest { compare: vec![compare], success: vec![then], failure: Vec::new() }
}

fn put(key: Bytes, value: Bytes) -> Step {
    step(Act::Put(PutRequest { key, value }))
}

fn step(act: Act) -> Step {
    Step { act: Some(act) }
}

fn is_absent(key: Bytes) -> Compare {
    Compare { target: Target::Created.into(), key, expected: Some(Expected::Created(0)) }
}

fn is_at(key: Bytes, revision: i64) -> Compare {
    Compare { target: Target::Modified.into(), key, expected: Some(Expected::Modified(revision)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_before_the_next_one() {
        assert_eq!(after(b"a/"), Bytes::from_static(b"a0"));
        assert_eq!(after(b"a\xff"), Bytes::from_static(b"b"));
        assert_eq!(after(b"\xff"), Bytes::from_static(b"\0"));
    }

    #[test]
    fn only_a_revision_is_a_version() {
        assert_eq!(revision_of(&version_of(42)), Some(42));
        for odd in ["0", "-1", "", "x", "99999999999999999999"] {
            assert_eq!(revision_of(&Version::new(odd)), None, "{odd}");
        }
    }

    #[test]
    fn keys_are_found_again_under_their_root_alone() {
        let root = Root::new("apps/orders");
        assert_eq!(root.path("a/b"), "apps/orders/a/b");
        assert_eq!(root.key(b"apps/orders/a/b").as_deref(), Some("a/b"));
        assert_eq!(root.key(b"apps/orders2/a"), None);
        assert_eq!(root.key(b"apps/orders/\xff"), None);
    }
}
