//! What etcd refuses, in words that say what to do.

use bytes::Bytes;
use tenure::store::{Store, StoreError, StoreErrorKind, When, Written};
use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::{Cluster, Login, Options};

use crate::{patient, shared};

async fn guarded() -> Cluster {
    let login = Login { user: "root".into(), password: "top-secret".into() };
    Cluster::start_with(Options { auth: Some(login), ..Options::default() }).await
}

/// The cluster's address for somebody.
fn as_user(cluster: &Cluster, login: &str, prefix: &str) -> String {
    cluster.url(prefix).replacen("etcd://", &format!("etcd://{login}@"), 1)
}

async fn refused(address: &str) -> StoreError {
    EtcdStore::open_url(address).await.expect_err("it was opened")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_denied_and_not_repeated() {
    let cluster = guarded().await;
    let error = refused(&as_user(&cluster, "root:wr0ng", "orders")).await;
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.message.contains("does not accept the password of user root"), "{error}");
    assert!(!format!("{error} {error:?}").contains("wr0ng"), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_etcd_with_users_asks_for_one() {
    let cluster = guarded().await;
    let error = refused(&cluster.url("orders")).await;
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.message.contains("TENURE_ETCD_USER"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_that_a_refusal_names_grant_just_enough() {
    let cluster = guarded().await;
    cluster.etcdctl(&["user", "add", "clerk", "--new-user-password=pw"]).await;
    let address = as_user(&cluster, "clerk:pw", "orders");
    let error = refused(&address).await;
    assert_eq!(error.kind, StoreErrorKind::Denied);
    let commands = error.message.split_once("grant it: ").expect("it says what to do").1;
    for command in commands.split("; ") {
        let words: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(words[0], "etcdctl", "{command}");
        cluster.etcdctl(&words[1..]).await;
    }
    let store = EtcdStore::open_url(&address).await.unwrap();
    let mut hints = store.watch("members/");
    let version = patient::write(&store, "members/a", "x").await;
    assert_eq!(store.list("").await.unwrap().len(), 1);
    let other = EtcdStore::open_url(&address).await.unwrap();
    patient::write(&other, "members/a", "y").await;
    patient::hinted(&mut hints, "members/a", "y").await;
    assert_eq!(refused(&as_user(&cluster, "clerk:pw", "orders2")).await.kind, StoreErrorKind::Denied);
    assert!(store.delete("members/a", &version).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_that_is_taken_away_is_missed_by_name() {
    let cluster = guarded().await;
    cluster.etcdctl(&["user", "add", "clerk", "--new-user-password=pw"]).await;
    cluster.etcdctl(&["role", "add", "reader"]).await;
    cluster.etcdctl(&["role", "grant-permission", "reader", "--prefix=true", "read", "orders/"]).await;
    cluster.etcdctl(&["user", "grant-role", "clerk", "reader"]).await;
    let store = EtcdStore::open_url(&as_user(&cluster, "clerk:pw", "orders")).await.unwrap();
    let error = store.put("a", Bytes::from_static(b"x"), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.message.contains("clerk may not read and write orders/"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn endpoints_that_nobody_listens_on_are_all_named() {
    let error = refused("etcd://127.0.0.1:1,127.0.0.1:2/orders").await;
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    for endpoint in ["127.0.0.1:1: Connection refused", "127.0.0.1:2: Connection refused"] {
        assert!(error.message.contains(endpoint), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_does_not_exist_is_named() {
    let error = refused("etcd://no-such-host.invalid/orders").await;
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert!(error.message.contains("no-such-host.invalid:2379: "), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_only_looks_creates_nothing_and_is_told_that_nothing_is_there() {
    let address = shared::address();
    let error = EtcdStore::open_existing_url(&address).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Invalid);
    assert!(error.message.contains("there is nothing under"), "{error}");
    let store = EtcdStore::open_url(&address).await.unwrap();
    patient::write(&store, "a", "x").await;
    EtcdStore::open_existing_url(&address).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_megabyte_fits_and_more_than_etcd_takes_is_refused() {
    let store = EtcdStore::open_url(&shared::address()).await.unwrap();
    let fits = store.put("fits", Bytes::from(vec![b'x'; 1 << 20]), When::Absent).await.unwrap();
    assert!(matches!(fits, Written::Stored(_)));
    let error = store.put("bursts", Bytes::from(vec![b'x'; 2 << 20]), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Invalid);
    assert!(error.message.contains("--max-request-bytes"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_of_many_and_of_large_records_is_whole() {
    let store = EtcdStore::open_url(&shared::address()).await.unwrap();
    for number in 0..300 {
        let value = vec![b'x'; if number % 60 == 0 { 1 << 20 } else { 10 }];
        store.put(&format!("a/{number:03}"), value.into(), When::Absent).await.unwrap();
    }
    let entries = store.list("a/").await.unwrap();
    assert_eq!(entries.len(), 300);
    assert!(entries.windows(2).all(|pair| pair[0].key < pair[1].key));
    assert_eq!(entries.iter().filter(|entry| entry.record.value.len() == 1 << 20).count(), 5);
}
