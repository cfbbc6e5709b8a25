//! Which object holds a key, and how all of a prefix are found.
//!
//! Keys under `members/`, of the store itself or of a cluster in it, are Leases; all others are ConfigMaps. Labels say whose
//! an object is, so that a listing selects what it wants in the API server:
//!
//! | label | says |
//! |---|---|
//! | `app.kubernetes.io/managed-by` | `tenure` |
//! | `tenure/store` | the store's name, from the address |
//! | `tenure/cluster` | the first segment of the key, where it can be a label's value |
//! | `tenure/kind` | `member`, `page`, `meta` or `record` |
//!
//! The annotation `tenure/key` repeats the key for people; the name is the truth. `tenure/write` is drawn anew for each write:
//! the API server takes a write that changes nothing for done without a new version, and then two writers could both replace
//! one version.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::name::{key_of, object_name};

/// The objects of one store.
#[derive(Clone, Debug)]
pub(super) struct StoreObjects {
    store: String,
}

/// Which objects can hold the keys of a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    Leases,
    Maps,
    Both,
}

impl StoreObjects {
    pub(super) fn new(store: String) -> Self {
        Self { store }
    }

    /// The name of the object that holds `key`.
    pub(super) fn name(&self, key: &str) -> Option<String> {
        object_name(&self.store, key)
    }

    /// The key that an object holds; `None` if it is a stranger's.
    pub(super) fn key(&self, meta: &ObjectMeta) -> Option<String> {
        key_of(&self.store, meta.name.as_deref()?)
    }

    /// The metadata of the object that is to hold `key`.
    pub(super) fn meta(&self, key: &str) -> Option<ObjectMeta> {
        Some(ObjectMeta {
            name: Some(self.name(key)?),
            labels: Some(self.labels(key)),
            annotations: Some([("tenure/key".into(), key.into()), ("tenure/write".into(), nonce())].into()),
            ..ObjectMeta::default()
        })
    }

    /// Selects every object whose key may begin with `prefix`.
    pub(super) fn selector(&self, prefix: &str) -> String {
        let cluster = prefix.split_once('/').and_then(|(cluster, _)| label_value(cluster));
        let cluster = cluster.map(|cluster| format!(",tenure/cluster={cluster}"));
        format!(
            "app.kubernetes.io/managed-by=tenure,tenure/store={}{}",
            self.store,
            cluster.unwrap_or_default()
        )
    }

    fn labels(&self, key: &str) -> BTreeMap<String, String> {
        let mut labels: BTreeMap<String, String> = [
            ("app.kubernetes.io/managed-by".into(), "tenure".into()),
            ("tenure/store".into(), self.store.clone()),
            ("tenure/kind".into(), kind(key).into()),
        ]
        .into();
        if let Some(cluster) = key.split_once('/').and_then(|(cluster, _)| label_value(cluster)) {
            labels.insert("tenure/cluster".into(), cluster.into());
        }
        labels
    }
}

fn nonce() -> String {
    format!("{:016x}", fastrand::u64(..))
}

/// Whether `key` is held by a Lease.
pub(super) fn is_member(key: &str) -> bool {
    kinds(key) == Kinds::Leases
}

/// Which objects hold the keys that begin with `prefix`.
pub(super) fn kinds(prefix: &str) -> Kinds {
    let mut whole = prefix.split('/');
    // The last segment may go on beyond the prefix.
    whole.next_back();
    match (whole.next(), whole.next()) {
        (Some("members"), _) | (_, Some("members")) => Kinds::Leases,
        (Some(_), Some(_)) => Kinds::Maps,
        (None, _) | (Some(_), None) => Kinds::Both,
    }
}

fn kind(key: &str) -> &'static str {
    let segments: Vec<&str> = key.split('/').collect();
    match segments[..] {
        _ if is_member(key) => "member",
        [.., "ledger", _] => "page",
        [.., "meta"] => "meta",
        _ => "record",
    }
}

/// The value of a label begins and ends with a letter or digit, and has at most 63 characters.
fn label_value(text: &str) -> Option<&str> {
    let edge = |c: char| c.is_ascii_alphanumeric();
    let inner = |c: char| edge(c) || matches!(c, '.' | '_' | '-');
    let fits = text.len() <= 63 && text.starts_with(edge) && text.ends_with(edge) && text.chars().all(inner);
    fits.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_leases_and_all_else_are_maps() {
        for member in ["members/a", "orders/members/a", "orders/members/a/b"] {
            assert!(is_member(member), "{member}");
        }
        for other in
            ["members", "meta", "orders/meta", "orders/members", "orders/ledger/00000", "a/b/members/c"]
        {
            assert!(!is_member(other), "{other}");
        }
    }

    #[test]
    fn a_prefix_is_sought_where_its_keys_can_be() {
        for (prefix, sought) in [
            ("", Kinds::Both),
            ("mem", Kinds::Both),
            ("orders/", Kinds::Both),
            ("orders/mem", Kinds::Both),
            ("members/", Kinds::Leases),
            ("orders/members/", Kinds::Leases),
            ("orders/members/web-", Kinds::Leases),
            ("orders/ledger/", Kinds::Maps),
            ("orders/ledger/000", Kinds::Maps),
        ] {
            assert_eq!(kinds(prefix), sought, "{prefix}");
        }
    }

    #[test]
    fn labels_say_whose_an_object_is() {
        let meta = StoreObjects::new("demo".into()).meta("orders/members/web-0").unwrap();
        let labels = meta.labels.unwrap();
        assert_eq!(labels["tenure/store"], "demo");
        assert_eq!(labels["tenure/cluster"], "orders");
        assert_eq!(labels["tenure/kind"], "member");
        assert_eq!(meta.annotations.unwrap()["tenure/key"], "orders/members/web-0");
        assert_eq!(kind("orders/ledger/00000"), "page");
        assert_eq!(kind("orders/meta"), "meta");
        assert_eq!(kind("orders/probe/x"), "record");
    }

    #[test]
    fn a_selector_finds_every_object_that_labels_were_given_for() {
        let place = StoreObjects::new("demo".into());
        let whole = "app.kubernetes.io/managed-by=tenure,tenure/store=demo";
        assert_eq!(place.selector(""), whole);
        assert_eq!(place.selector("ord"), whole);
        assert_eq!(place.selector("orders/members/"), format!("{whole},tenure/cluster=orders"));
        // A name that no label can have is selected by the store alone.
        assert_eq!(place.selector("orders-/"), whole);
        assert!(!place.labels("orders-/meta").contains_key("tenure/cluster"));
    }
}
