//! What watchers are told, and what they are told while the server is away.

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tenure::store::{Hint, Store, Version, When, Written};
use tenure_stores::kubernetes::KubernetesStore;

use crate::testbed::{address, awaited, open};

async fn pair() -> (KubernetesStore, KubernetesStore) {
    let address = address();
    (open(&address).await, open(&address).await)
}

async fn put(store: &KubernetesStore, key: &str, value: &'static str, when: When) -> Version {
    match store.put(key, Bytes::from_static(value.as_bytes()), when).await.unwrap() {
        Written::Stored(version) => version,
        Written::Conflict => panic!("{key} was not as expected"),
    }
}

/// A watch that has begun: it has said so, once for each kind of objects.
async fn begun(store: &KubernetesStore, prefix: &str, kinds: usize) -> BoxStream<'static, Hint> {
    let mut hints = store.watch(prefix);
    for _ in 0..kinds {
        assert_eq!(awaited(hints.next()).await, Some(Hint::anything()));
    }
    hints
}

#[tokio::test]
async fn a_members_hint_brings_its_record() {
    let (store, other) = pair().await;
    let mut hints = begun(&store, "orders/", 2).await;
    let first = put(&other, "orders/members/a", "first", When::Absent).await;
    let told = awaited(hints.next()).await.unwrap();
    let record = told.record.unwrap();
    assert_eq!(told.key.as_deref(), Some("orders/members/a"));
    assert_eq!((&record.version, &record.value[..]), (&first, &b"first"[..]));

    let second = put(&other, "orders/members/a", "second", When::Is(first)).await;
    let record = awaited(hints.next()).await.unwrap().record.unwrap();
    assert_eq!((record.version, &record.value[..]), (second, &b"second"[..]));
}

#[tokio::test]
async fn a_pages_hint_names_it_and_leaves_it_where_it_is() {
    let (store, other) = pair().await;
    let mut hints = begun(&store, "orders/", 2).await;
    put(&other, "orders/ledger/00000", "page", When::Absent).await;
    assert_eq!(awaited(hints.next()).await, Some(Hint::of("orders/ledger/00000")));
}

#[tokio::test]
async fn a_removal_is_told_with_its_key() {
    let (store, other) = pair().await;
    let version = put(&other, "orders/members/a", "first", When::Absent).await;
    let mut hints = begun(&store, "orders/members/", 1).await;
    other.delete("orders/members/a", &version).await.unwrap();
    assert_eq!(awaited(hints.next()).await, Some(Hint::of("orders/members/a")));
}

#[tokio::test]
async fn what_changes_elsewhere_is_not_told() {
    let (store, other) = pair().await;
    let mut hints = begun(&store, "orders/members/", 1).await;
    put(&other, "users/members/a", "elsewhere", When::Absent).await;
    put(&other, "orders/meta", "elsewhere", When::Absent).await;
    put(&other, "orders/members/b", "here", When::Absent).await;
    assert_eq!(awaited(hints.next()).await.unwrap().key.as_deref(), Some("orders/members/b"));
}
