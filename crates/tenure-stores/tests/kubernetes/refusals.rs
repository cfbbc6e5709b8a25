//! What is refused, and what the message says to do about it.

use bytes::Bytes;
use tenure::store::{Read, Store, StoreError, StoreErrorKind, When, Written};
use tenure_stores::kubernetes::KubernetesStore;

use crate::testbed::{Access, address, kubectl, open, own_name};

async fn refusal(access: &Access) -> StoreError {
    KubernetesStore::open_url(&access.url("default", &own_name())).await.unwrap_err()
}

fn says(error: &StoreError, kind: StoreErrorKind, words: &[&str]) {
    let said = error.to_string();
    assert_eq!(error.kind, kind, "{said}");
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
}

#[tokio::test]
async fn a_token_that_is_not_known_is_to_be_renewed_and_never_repeated() {
    let access = Access::of_admin().changed("admin-token", "s3cret-token");
    let error = refusal(&access).await;
    says(&error, StoreErrorKind::Denied, &["does not accept the credentials", "renew the token"]);
    assert!(!format!("{error:?} {}", chain(&error)).contains("s3cret"));
}

#[tokio::test]
async fn a_handle_shows_its_address_and_nothing_secret() {
    let store = format!("{:?}", open(&address()).await);
    assert!(
        store.contains("k8s://default/") && !store.contains("token") && !store.contains("kubeconfig"),
        "{store}"
    );
}

#[tokio::test]
async fn a_user_without_rights_is_told_which_one_is_missing() {
    let error = refusal(&Access::of_alice()).await;
    says(
        &error,
        StoreErrorKind::Denied,
        &["may not list leases.coordination.k8s.io in namespace default", "rbac.yaml"],
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_can_not_be_reached() {
    // A port that was just free, with nobody behind it.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = refusal(&Access::of_admin().towards(nobody)).await;
    says(&error, StoreErrorKind::Unavailable, &["can't be reached"]);
    assert!(chain(&error).contains("refused"), "{}", chain(&error));
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_is_not_trusted() {
    let access = Access::of_admin().without_authority();
    says(
        &refusal(&access).await,
        StoreErrorKind::Denied,
        &["certificate is not trusted", "certificate-authority"],
    );
}

#[tokio::test]
async fn a_kubeconfig_that_is_missing_is_named() {
    let error = KubernetesStore::open_url("k8s://default/x?kubeconfig=/nowhere/config").await.unwrap_err();
    says(&error, StoreErrorKind::Denied, &["/nowhere/config"]);
}

#[tokio::test]
async fn a_context_that_is_missing_is_named() {
    let address = format!("{}&context=east", address());
    let error = KubernetesStore::open_url(&address).await.unwrap_err();
    says(&error, StoreErrorKind::Denied, &["east"]);
}

#[tokio::test]
async fn a_namespace_that_is_missing_is_to_be_created() {
    let store = open(&Access::of_admin().url("no-such-place", &own_name())).await;
    for key in ["orders/meta", "orders/members/a"] {
        let error = store.put(key, Bytes::new(), When::Absent).await.unwrap_err();
        says(&error, StoreErrorKind::Invalid, &["no namespace \"no-such-place\"", "create it"]);
    }
}

#[tokio::test]
async fn a_store_that_nobody_uses_is_not_opened_by_those_who_look() {
    let address = address();
    let error = KubernetesStore::open_existing_url(&address).await.unwrap_err();
    says(&error, StoreErrorKind::Invalid, &["nothing is stored"]);
    open(&address).await.put("orders/meta", Bytes::new(), When::Absent).await.unwrap();
    KubernetesStore::open_existing_url(&address).await.unwrap();
}

#[tokio::test]
async fn a_mebibyte_is_kept_and_a_byte_more_is_refused() {
    let store = open(&address()).await;
    let whole: Bytes = (0..1 << 20).map(|number: u32| (number % 251) as u8).collect::<Vec<_>>().into();
    store.put("orders/ledger/00000", whole.clone(), When::Absent).await.unwrap();
    match store.get("orders/ledger/00000", None).await.unwrap() {
        Read::Found(record) => assert!(record.value == whole, "a mebibyte came back changed"),
        other => panic!("{other:?}"),
    }
    let text: Bytes = vec![b'"'; 1 << 20].into();
    store.put("orders/ledger/00001", text, When::Absent).await.unwrap();
    let more: Bytes = vec![b'x'; (1 << 20) + 1].into();
    let error = store.put("orders/ledger/00002", more, When::Absent).await.unwrap_err();
    says(&error, StoreErrorKind::Invalid, &["too large", "1048577 bytes"]);
}

#[tokio::test]
async fn a_member_that_annotations_can_not_hold_is_refused() {
    let store = open(&address()).await;
    let large: Bytes = vec![b'x'; 250 << 10].into();
    assert!(matches!(store.put("orders/members/a", large, When::Absent).await, Ok(Written::Stored(_))));
    let more: Bytes = vec![b'x'; 256 << 10].into();
    let error = store.put("orders/members/b", more, When::Absent).await.unwrap_err();
    says(&error, StoreErrorKind::Invalid, &["too large", "262144"]);
}

#[tokio::test]
async fn an_object_of_somebody_else_is_not_taken_for_a_record() {
    let name = own_name();
    let store = open(&Access::of_admin().url("default", &name)).await;
    kubectl(&["create", "configmap", &format!("{name}.orders.meta"), "--from-literal=greeting=hello"]).await;
    let error = store.get("orders/meta", None).await.unwrap_err();
    says(&error, StoreErrorKind::Incompatible, &["no record of tenure", &format!("{name}.orders.meta")]);
    assert_eq!(store.list("orders/").await.unwrap(), []);
}

#[tokio::test]
async fn a_key_that_can_be_no_name_is_refused() {
    let store = open(&address()).await;
    let error = store.get(&"A".repeat(200), None).await.unwrap_err();
    says(&error, StoreErrorKind::Invalid, &["253 characters"]);
}

fn chain(error: &StoreError) -> String {
    let mut said = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        said = format!("{said}: {cause}");
        next = cause.source();
    }
    said
}
