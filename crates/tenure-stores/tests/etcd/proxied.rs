//! A bad network between the store and etcd: what was lost is told as it is.

use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use tenure::clock::Clock;
use tenure::store::layer::Timeout;
use tenure::store::{Read, Store, StoreErrorKind, Version, When, Written};
use tenure_stores::etcd::EtcdStore;
use tenure_testbed::proxy::{Mode, Proxy};

use crate::{patient, shared};

/// A store whose only endpoint is behind a proxy, and one that sees what is really there.
struct Scene {
    proxy: Proxy,
    store: EtcdStore,
    witness: EtcdStore,
}

impl Scene {
    async fn set(timeout_ms: u32) -> Self {
        let proxies = Proxy::start_each(&shared::endpoints()[..1]).await.unwrap();
        let prefix = shared::prefix();
        let address = format!("{}?timeout_ms={timeout_ms}", shared::through(&proxies, &prefix));
        let direct = format!("etcd://{}/{prefix}", shared::endpoints()[1]);
        Self {
            proxy: proxies.into_iter().next().unwrap(),
            store: EtcdStore::open_url(&address).await.unwrap(),
            witness: EtcdStore::open_url(&direct).await.unwrap(),
        }
    }

    /// How a create of `a` ends.
    async fn fails(&self) -> StoreErrorKind {
        let put = self.store.put("a", Bytes::from_static(b"mine"), When::Absent).await;
        put.map(|written| panic!("{written:?}")).unwrap_err().kind
    }

    async fn really_there(&self) -> Option<Version> {
        patient::read(&self.witness, "a").await.map(|record| record.version)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_answer_is_lost_may_have_landed_and_reading_back_shows_it() {
    let scene = Scene::set(1000).await;
    scene.proxy.set(Mode::DropAnswerThenCut);
    assert_eq!(scene.fails().await, StoreErrorKind::Indeterminate);
    assert_eq!(scene.proxy.answers_lost(), 1, "the server had answered");
    let record = patient::read(&scene.store, "a").await.expect("it had landed");
    assert_eq!(record.value, "mine");
    let again = scene.store.put("a", Bytes::from_static(b"mine"), When::Absent).await.unwrap();
    assert_eq!(again, Written::Conflict, "by our own write");
    assert_eq!(scene.really_there().await, Some(record.version), "it was sent once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_answer_never_comes_may_have_landed() {
    let scene = Scene::set(300).await;
    scene.proxy.set(Mode::DropAnswers);
    assert_eq!(scene.fails().await, StoreErrorKind::Indeterminate);
    assert!(scene.really_there().await.is_some());
    scene.proxy.set(Mode::Pass);
    assert_eq!(patient::read(&scene.store, "a").await.unwrap().value, "mine");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_into_a_black_hole_may_have_landed_for_all_we_know() {
    let scene = Scene::set(300).await;
    scene.proxy.set(Mode::BlackHole);
    assert_eq!(scene.fails().await, StoreErrorKind::Indeterminate);
    assert_eq!(scene.really_there().await, None);
    scene.proxy.set(Mode::Pass);
    assert_eq!(patient::read(&scene.store, "a").await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_could_not_be_sent_did_not_happen() {
    let scene = Scene::set(1000).await;
    scene.proxy.set(Mode::Cut);
    // The end of the connection may be noticed only by the first call after it.
    let _ = scene.store.get("a", None).await;
    assert_eq!(scene.fails().await, StoreErrorKind::Unavailable);
    assert_eq!(scene.really_there().await, None);
    scene.proxy.set(Mode::Pass);
    assert!(matches!(
        scene.store.put("a", Bytes::from_static(b"mine"), When::Absent).await.unwrap(),
        Written::Stored(_)
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_network_is_no_failure() {
    let scene = Scene::set(5000).await;
    scene.proxy.set(Mode::Delay(Duration::from_millis(50)));
    let Written::Stored(version) =
        scene.store.put("a", Bytes::from_static(b"x"), When::Absent).await.unwrap()
    else {
        panic!("a conflict about nothing");
    };
    assert_eq!(scene.store.get("a", Some(&version)).await.unwrap(), Read::Unchanged);
}

/// Three endpoints, each behind a proxy; the store uses one of them.
async fn three() -> (Vec<Proxy>, String) {
    let proxies = Proxy::start_each(&shared::endpoints()).await.unwrap();
    let address = shared::through(&proxies, &shared::prefix());
    (proxies, address)
}

/// The proxy that calls of `store` go through.
async fn used<'a>(proxies: &'a [Proxy], store: &EtcdStore) -> &'a Proxy {
    let before: Vec<u64> = proxies.iter().map(Proxy::bytes_to_server).collect();
    for _ in 0..20 {
        store.get("a", None).await.unwrap();
    }
    let grown = |(proxy, before): &(&Proxy, u64)| proxy.bytes_to_server() - before;
    proxies.iter().zip(before).max_by_key(grown).unwrap().0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_endpoint_is_left_within_the_very_read() {
    let (proxies, address) = three().await;
    let store = EtcdStore::open_url(&format!("{address}?timeout_ms=300")).await.unwrap();
    used(&proxies, &store).await.set(Mode::BlackHole);
    assert_eq!(store.get("a", None).await.unwrap(), Read::Absent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_goes_elsewhere_at_once_if_its_endpoint_refuses_connections() {
    let (proxies, address) = three().await;
    let store = EtcdStore::open_url(&address).await.unwrap();
    used(&proxies, &store).await.set(Mode::Cut);
    store.get("a", None).await.unwrap();
    let written = store.put("a", Bytes::from_static(b"x"), When::Absent).await.unwrap();
    assert!(matches!(written, Written::Stored(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_gives_up_first_still_leaves_the_silent_endpoint() {
    let (proxies, address) = three().await;
    let store = EtcdStore::open_url(&format!("{address}?timeout_ms=60000")).await.unwrap();
    used(&proxies, &store).await.set(Mode::BlackHole);
    let impatient = Timeout::new(store, Clock::boot(), Duration::from_millis(500));
    let first = impatient.get("a", None).await.unwrap_err();
    assert_eq!(first.kind, StoreErrorKind::Unavailable);
    assert_eq!(impatient.get("a", None).await.unwrap(), Read::Absent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_died_in_silence_is_not_used_again() {
    let scene = Scene::set(300).await;
    let before = scene.proxy.connections();
    scene.proxy.set(Mode::BlackHole);
    assert!(scene.store.get("a", None).await.is_err());
    scene.proxy.set(Mode::Pass);
    assert_eq!(patient::read(&scene.store, "a").await, None);
    assert!(scene.proxy.connections() > before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_nobody_polls_while_it_connects_holds_nobody_up() {
    let scene = Scene::set(1000).await;
    scene.proxy.set(Mode::Cut);
    assert!(scene.store.get("a", None).await.is_err());
    scene.proxy.set(Mode::Pass);
    let mut forgotten = Box::pin(scene.store.get("a", None));
    assert!((&mut forgotten).now_or_never().is_none(), "it connects first");
    assert_eq!(patient::read(&scene.store, "a").await, None);
    drop(forgotten);
}
