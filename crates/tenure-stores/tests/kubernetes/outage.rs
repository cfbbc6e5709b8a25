//! The API server goes away and comes back.

use bytes::Bytes;
use futures_util::StreamExt;
use tenure::store::{Hint, Read, Store, StoreErrorKind, Version, When, Written};
use tenure_stores::kubernetes::KubernetesStore;
use tenure_testbed::kubernetes::Server;

use crate::testbed::awaited;

async fn stored(store: &KubernetesStore, key: &str, value: &'static str, when: When) -> Version {
    match store.put(key, Bytes::from_static(value.as_bytes()), when).await.unwrap() {
        Written::Stored(version) => version,
        Written::Conflict => panic!("{key} was not as expected"),
    }
}

/// The server forgets what happened before it started, and something did of which the watch was not told: so it begins anew,
/// and says that anything may have changed.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_records_are_there_and_watches_go_on() {
    let mut server = Server::start().await;
    let store = KubernetesStore::open_url(&server.url("default", "demo")).await.unwrap();
    let version = stored(&store, "orders/members/a", "one", When::Absent).await;
    let mut hints = store.watch("orders/members/");
    assert_eq!(awaited(hints.next()).await, Some(Hint::anything()));
    let another = KubernetesStore::open_url(&server.url("default", "another")).await.unwrap();
    stored(&another, "orders/members/a", "elsewhere", When::Absent).await;

    server.kill();
    let error = store.get("orders/members/a", None).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    let unsent = store.put("orders/members/a", "two".into(), When::Is(version.clone())).await.unwrap_err();
    assert_eq!(unsent.kind, StoreErrorKind::Unavailable, "{unsent}");

    server.restart().await;
    assert_eq!(awaited(hints.next()).await, Some(Hint::anything()));
    assert_eq!(store.get("orders/members/a", Some(&version)).await.unwrap(), Read::Unchanged);
    let listed = store.list("orders/members/").await.unwrap();
    assert_eq!(listed.len(), 1);
    stored(&store, "orders/members/a", "three", When::Is(version)).await;
    assert_eq!(awaited(hints.next()).await.unwrap().record.unwrap().value, "three");
}
