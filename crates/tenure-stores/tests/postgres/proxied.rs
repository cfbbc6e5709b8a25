//! Through a network that swallows, cuts and delays: no write is told to have failed that may have landed, and none is sent twice.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::{Read, Store, StoreErrorKind, Version, When, Written};
use tenure_stores::postgres::PostgresStore;
use tenure_testbed::proxy::{Mode, Proxy};

use crate::address::{held, of_its_own, open, stored, until};

/// A proxy in front of the shared server, a store through it, and one around it.
async fn proxied() -> (Proxy, String, String) {
    let address = of_its_own();
    let upstream = address.split(['@', '/']).nth(3).expect("a host").to_owned();
    let proxy = Proxy::start(upstream.parse().expect("an address")).await.expect("a port");
    let through = address.replacen(&upstream, &proxy.address().to_string(), 1);
    (proxy, through, address)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_answer_is_lost_is_unknown_and_landed_once() {
    let (proxy, through, around) = proxied().await;
    let (store, truth) = (open(&through).await, open(&around).await);
    let version = stored(&store, "a", "one", When::Absent).await;
    // Behind the notification of that write: the answer to be lost is that of the next.
    assert_eq!(held(&store, "a").await.as_deref(), Some("one"));
    proxy.set(Mode::DropAnswerThenCut);
    let error = store.put("a", "two".into(), When::Is(version)).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    assert_eq!(proxy.answers_lost(), 1);
    assert_eq!(held(&truth, "a").await.as_deref(), Some("two"));
    until("it goes on", async || store.get("a", None).await.is_ok()).await;
}

/// Writes on a condition while the answer is lost, then again; that is answered with a conflict, by the first of the two.
async fn put_twice(proxy: &Proxy, store: &PostgresStore, truth: &PostgresStore, when: When) -> Version {
    // Behind the notification of the write before: the answer to be lost is that of the next.
    until("it goes on", async || store.get("a", None).await.is_ok()).await;
    let put = || store.put("a", "mine".into(), when.clone());
    proxy.set(Mode::DropAnswerThenCut);
    let error = put().await.expect_err("no answer came");
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    let landed = version(truth).await;
    until("it goes on", async || store.get("a", None).await.is_ok()).await;
    assert_eq!(put().await.expect("an answer"), Written::Conflict, "by our own write");
    assert_eq!(version(truth).await, landed, "it landed once");
    landed
}

async fn version(truth: &PostgresStore) -> Version {
    match truth.get("a", None).await {
        Ok(Read::Found(record)) => record.version,
        other => panic!("it did not land: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_repeated_after_its_answer_was_lost_meets_itself() {
    let (proxy, through, around) = proxied().await;
    let (store, truth) = (open(&through).await, open(&around).await);
    let created = put_twice(&proxy, &store, &truth, When::Absent).await;
    let replaced = put_twice(&proxy, &store, &truth, When::Is(created.clone())).await;
    assert_ne!(replaced, created);
    assert_eq!(proxy.answers_lost(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_could_not_be_sent_did_not_happen() {
    let (proxy, through, around) = proxied().await;
    let (store, truth) = (open(&through).await, open(&around).await);
    proxy.set(Mode::Cut);
    until("the cut is noticed", async || store.get("a", None).await.is_err()).await;
    let error = store.put("a", "one".into(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    assert_eq!(held(&truth, "a").await, None);
    proxy.set(Mode::Pass);
    stored(&store, "a", "one", When::Absent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_black_hole_holds_up_nobody_once_it_is_gone() {
    let (proxy, through, _) = proxied().await;
    let store = open(&through).await;
    stored(&store, "a", "one", When::Absent).await;
    proxy.set(Mode::BlackHole);
    // Callers give up long before the connection does.
    for _ in 0..8 {
        let asked = Clock::boot().timeout(Duration::from_millis(50), store.get("a", None)).await;
        assert!(asked.is_err(), "a black hole answered");
    }
    let error = store.put("b", "two".into(), When::Absent).await.unwrap_err();
    assert!(matches!(error.kind, StoreErrorKind::Indeterminate | StoreErrorKind::Unavailable), "{error}");
    proxy.set(Mode::Pass);
    until("it goes on", async || store.get("a", None).await.is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_opens_through_no_black_hole() {
    let (proxy, through, _) = proxied().await;
    proxy.set(Mode::BlackHole);
    let error = crate::address::refusal(&format!("{through}&connect_timeout=1")).await;
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_arrives_late_lands_at_most_once() {
    let (proxy, through, around) = proxied().await;
    let (store, truth) = (open(&through).await, open(&around).await);
    let version = stored(&store, "a", "one", When::Absent).await;
    proxy.set(Mode::Delay(Duration::from_millis(300)));
    let write = store.put("a", "late".into(), When::Is(version.clone()));
    assert!(Clock::boot().timeout(Duration::from_millis(50), write).await.is_err(), "it was not late");
    // Meanwhile somebody else replaces what the late write expects.
    let newer = stored(&truth, "a", "newer", When::Is(version)).await;
    proxy.set(Mode::Pass);
    until("it goes on", async || store.get("a", None).await.is_ok()).await;
    assert_eq!(held(&truth, "a").await.as_deref(), Some("newer"));
    stored(&truth, "a", "last", When::Is(newer)).await;
}
