//! Encrypted connections, with and without a certificate of ours.

use tenure::store::{StoreError, StoreErrorKind};
use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::{Cluster, Options};

use crate::{patient, shared};

async fn refused(address: &str) -> StoreError {
    EtcdStore::open_url(address).await.expect_err("it was opened")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_that_is_named_is_trusted_and_no_other() {
    let cluster = Cluster::start_with(Options { tls: true, ..Options::default() }).await;
    let made = cluster.certificates().unwrap();
    let address = cluster.url("orders");
    let trusted = format!("{address}?ca={}", made.authority.display());
    let store = EtcdStore::open_url(&trusted).await.unwrap();
    patient::write(&store, "a", "x").await;

    let error = refused(&format!("{address}?tls=true")).await;
    assert_eq!(error.kind, StoreErrorKind::Denied, "{error}");
    assert!(error.message.contains("name the authority by ca=FILE"), "{error}");

    let error = refused(&address).await;
    assert!(error.message.contains("tls=true"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_etcd_that_asks_for_certificates_is_shown_one() {
    let cluster = Cluster::start_with(Options { client_certs: true, ..Options::default() }).await;
    let made = cluster.certificates().unwrap();
    let trusted = format!("{}?ca={}", cluster.url("orders"), made.authority.display());

    let error = refused(&trusted).await;
    assert!(error.message.contains("cert=FILE&key=FILE"), "{error}");

    let files = format!("cert={}&key={}", made.client.display(), made.client_key.display());
    let store = EtcdStore::open_url(&format!("{trusted}&{files}")).await.unwrap();
    patient::write(&store, "a", "x").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_etcd_that_does_not_encrypt_is_told_apart() {
    let error = refused(&format!("{}?tls=true", shared::address())).await;
    assert!(error.message.contains("if it does not encrypt, leave out tls"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_there_is_named() {
    let error = refused("etcd://127.0.0.1:1/orders?ca=no-such-file.pem").await;
    assert_eq!(error.kind, StoreErrorKind::Invalid);
    assert!(error.to_string().contains("no-such-file.pem"), "{error}");
}
