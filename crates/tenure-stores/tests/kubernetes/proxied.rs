//! Through a network that swallows, cuts and delays: no write is told to have failed that may have landed, and none is sent twice.

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use tenure::clock::Clock;
use tenure::store::{Hint, Read, Store, StoreErrorKind, Version, When, Written};
use tenure_stores::kubernetes::KubernetesStore;
use tenure_testbed::proxy::{Mode, Proxy};

use crate::testbed::{Access, awaited, open, own_name};

/// One record of each kind.
const KEYS: [&str; 2] = ["orders/meta", "orders/members/a"];

/// A proxy in front of the shared server, a store through it, and the same store around it.
struct Scene {
    proxy: Proxy,
    store: KubernetesStore,
    truth: KubernetesStore,
    through: String,
    _access: Access,
}

async fn scene() -> Scene {
    let (direct, name) = (Access::of_admin(), own_name());
    let proxy = Proxy::start(direct.server()).await.unwrap();
    let access = direct.towards(proxy.address());
    let through = access.url("default", &name);
    let (store, truth) = (open(&through).await, open(&direct.url("default", &name)).await);
    Scene { proxy, store, truth, through, _access: access }
}

async fn stored(store: &KubernetesStore, key: &str, value: &'static str, when: When) -> Version {
    match store.put(key, Bytes::from_static(value.as_bytes()), when).await.unwrap() {
        Written::Stored(version) => version,
        Written::Conflict => panic!("{key} was not as expected"),
    }
}

async fn held(store: &KubernetesStore, key: &str) -> Option<(Bytes, Version)> {
    match store.get(key, None).await.unwrap() {
        Read::Found(record) => Some((record.value, record.version)),
        Read::Absent => None,
        Read::Unchanged => panic!("no version was named"),
    }
}

/// Asks until a read is answered again; a bounded number of times.
async fn goes_on(store: &KubernetesStore) {
    for _ in 0..200 {
        let asked = Clock::boot().timeout(Duration::from_millis(500), store.get("orders/meta", None)).await;
        if matches!(asked, Ok(Ok(_))) {
            return;
        }
        Clock::boot().sleep(Duration::from_millis(50)).await;
    }
    panic!("it does not go on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_answer_is_lost_is_unknown_and_landed_once() {
    for key in KEYS {
        let Scene { proxy, store, truth, .. } = &scene().await;
        let first = stored(store, key, "one", When::Absent).await;
        proxy.set(Mode::DropAnswerThenCut);
        let error = store.put(key, "two".into(), When::Is(first.clone())).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
        assert!(error.to_string().contains("read before writing again"), "{error}");
        assert_eq!(proxy.answers_lost(), 1);
        let (value, second) = held(truth, key).await.unwrap();
        assert_eq!(value, "two");
        goes_on(store).await;
        assert_eq!(held(truth, key).await.unwrap().1, second, "it was sent twice");
        assert_eq!(store.put(key, "two".into(), When::Is(first)).await.unwrap(), Written::Conflict);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creation_whose_answer_is_lost_is_found_by_reading() {
    for key in KEYS {
        let Scene { proxy, store, .. } = &scene().await;
        assert_eq!(held(store, key).await, None);
        proxy.set(Mode::DropAnswerThenCut);
        let error = store.put(key, "mine".into(), When::Absent).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
        goes_on(store).await;
        assert_eq!(held(store, key).await.unwrap().0, "mine");
        assert_eq!(store.put(key, "mine".into(), When::Absent).await.unwrap(), Written::Conflict);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removal_whose_answer_is_lost_is_unknown() {
    let Scene { proxy, store, truth, .. } = &scene().await;
    let version = stored(store, "orders/members/a", "one", When::Absent).await;
    proxy.set(Mode::DropAnswerThenCut);
    let error = store.delete("orders/members/a", &version).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    assert_eq!(held(truth, "orders/members/a").await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_could_not_be_sent_did_not_happen() {
    let Scene { proxy, store, truth, .. } = &scene().await;
    proxy.set(Mode::Cut);
    // Connections that were open die at the first use; from then on none comes about.
    while store.get("orders/meta", None).await.is_ok() {}
    let error = store.put("orders/meta", "one".into(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    assert_eq!(held(truth, "orders/meta").await, None);
    proxy.set(Mode::Pass);
    stored(store, "orders/meta", "one", When::Absent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_black_hole_holds_up_nobody_once_it_is_gone() {
    let Scene { proxy, store, .. } = &scene().await;
    stored(store, "orders/meta", "one", When::Absent).await;
    proxy.set(Mode::BlackHole);
    // Callers give up long before a connection does.
    for _ in 0..8 {
        let asked = Clock::boot().timeout(Duration::from_millis(50), store.get("orders/meta", None)).await;
        assert!(asked.is_err(), "a black hole answered");
    }
    proxy.set(Mode::Pass);
    goes_on(store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_does_not_wait_for_ever_to_open_through_a_black_hole() {
    let Scene { proxy, through, .. } = &scene().await;
    proxy.set(Mode::BlackHole);
    let error = KubernetesStore::open_url(through).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_arrives_late_replaces_nothing_newer() {
    let Scene { proxy, store, truth, .. } = &scene().await;
    let version = stored(store, "orders/meta", "one", When::Absent).await;
    proxy.set(Mode::Delay(Duration::from_millis(300)));
    let write = store.put("orders/meta", "late".into(), When::Is(version.clone()));
    assert!(Clock::boot().timeout(Duration::from_millis(50), write).await.is_err(), "it was not late");
    let newer = stored(truth, "orders/meta", "newer", When::Is(version)).await;
    proxy.set(Mode::Pass);
    goes_on(store).await;
    assert_eq!(held(truth, "orders/meta").await, Some(("newer".into(), newer)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_was_cut_goes_on_where_it_was() {
    let Scene { proxy, store, truth, .. } = &scene().await;
    let mut hints = store.watch("orders/members/");
    assert_eq!(awaited(hints.next()).await, Some(Hint::anything()));
    proxy.set(Mode::Cut);
    stored(truth, "orders/members/a", "missed", When::Absent).await;
    stored(truth, "orders/members/b", "missed", When::Absent).await;
    proxy.set(Mode::Pass);
    for key in ["orders/members/a", "orders/members/b"] {
        assert_eq!(awaited(hints.next()).await.unwrap().key.as_deref(), Some(key));
    }
}
