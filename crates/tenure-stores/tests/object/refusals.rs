//! What can't be used is refused with what to do about it, and without saying a secret.

use tenure::store::{Store, StoreError, StoreErrorKind, When};
use tenure_stores::object::ObjectStore;
use tenure_testbed::proxy::{Mode, Proxy};

use crate::address::Address;
use crate::scripted::{Answer, Scripted};

async fn refusal(address: &Address) -> StoreError {
    let error = ObjectStore::open_url(address.as_str()).await.unwrap_err();
    assert_keeps_secrets(&error);
    error
}

fn assert_keeps_secrets(error: &StoreError) {
    let all = format!("{error} {error:?}");
    assert!(!all.contains("hunter2"), "{all}");
}

fn assert_says(error: &StoreError, kind: StoreErrorKind, words: &str) {
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(error.kind, kind, "{error}");
}

/// What a server that refuses everything in these words is answered with.
async fn refused_by(status: u16, code: &str) -> StoreError {
    let body = format!("<Error><Code>{code}</Code><Message>because</Message></Error>");
    let server = Scripted::start(move |_| Answer::say(status, &body)).await;
    refusal(&Address::of(server.address())).await
}

#[tokio::test]
async fn a_missing_bucket_is_named() {
    let address = Address::fresh().in_bucket("nobodys-bucket");
    assert_says(&refusal(&address).await, StoreErrorKind::Invalid, "there is no bucket \"nobodys-bucket\"");
}

#[tokio::test]
async fn those_who_only_look_find_no_empty_cluster() {
    let error = ObjectStore::open_existing_url(Address::fresh().as_str()).await.unwrap_err();
    assert_says(&error, StoreErrorKind::Invalid, "nothing is there; correct the address");
}

#[tokio::test]
async fn those_who_only_look_find_what_is_there() {
    let address = Address::fresh();
    address.open().await.put("a", "here".into(), When::Absent).await.unwrap();
    ObjectStore::open_existing_url(address.as_str()).await.unwrap();
}

#[tokio::test]
async fn an_endpoint_where_nobody_listens_is_unavailable() {
    let proxy = Proxy::start(Address::fresh().server()).await.unwrap();
    proxy.set(Mode::Cut);
    let error = refusal(&Address::of(proxy.address())).await;
    assert_says(&error, StoreErrorKind::Unavailable, "no connection could be made; check the endpoint");
}

#[tokio::test]
async fn an_unknown_key_says_where_keys_come_from() {
    let error = refused_by(403, "InvalidAccessKeyId").await;
    assert_says(&error, StoreErrorKind::Denied, "the server does not know this key; set AWS_ACCESS_KEY_ID");
}

#[tokio::test]
async fn a_wrong_secret_is_told_from_an_unknown_key() {
    let error = refused_by(403, "SignatureDoesNotMatch").await;
    assert_says(&error, StoreErrorKind::Denied, "the secret does not fit the key");
}

#[tokio::test]
async fn a_missing_right_names_what_to_grant() {
    let error = refused_by(403, "AccessDenied").await;
    assert_says(&error, StoreErrorKind::Denied, "s3:ListBucket on arn:aws:s3:::shop");
}

#[tokio::test]
async fn a_wrong_clock_is_blamed() {
    let error = refused_by(403, "RequestTimeTooSkewed").await;
    assert_says(&error, StoreErrorKind::Denied, "the clock of this machine");
}

#[tokio::test]
async fn a_wrong_region_names_the_right_one() {
    let server = Scripted::start(|_| {
        Answer::say(301, "<Error><Code>PermanentRedirect</Code></Error>")
            .with("x-amz-bucket-region", "eu-west-1")
    });
    let error = refusal(&Address::of(server.await.address())).await;
    assert_says(&error, StoreErrorKind::Invalid, "say region=eu-west-1");
}

#[tokio::test]
async fn a_server_that_is_too_busy_is_asked_again_later() {
    assert_says(
        &refused_by(503, "SlowDown").await,
        StoreErrorKind::Unavailable,
        "HTTP 503 SlowDown: because",
    );
}

#[tokio::test]
async fn plain_http_must_be_asked_for() {
    let address = Address::fresh().with("allow_http", "false");
    assert_says(&refusal(&address).await, StoreErrorKind::Invalid, "say allow_http=true");
}

#[tokio::test]
async fn an_unknown_option_is_named() {
    let address = Address::fresh().with("colour", "hunter2");
    assert_says(&refusal(&address).await, StoreErrorKind::Invalid, "there is no option \"colour\"");
}

#[tokio::test]
async fn half_a_pair_of_keys_is_refused() {
    let bare = "s3://shop/p?region=us-east-1&secret_access_key=hunter2";
    let error = ObjectStore::open_url(bare).await.unwrap_err();
    assert_keeps_secrets(&error);
    assert_says(&error, StoreErrorKind::Invalid, "say access_key_id too");
}

#[tokio::test]
async fn a_handle_does_not_show_its_keys() {
    let server = Scripted::start(|_| Answer::say(200, "<ListBucketResult></ListBucketResult>")).await;
    let shown = format!("{:?}", Address::of(server.address()).open().await);
    assert_eq!(shown, "ObjectStore(s3://shop/p)");
}

#[tokio::test]
async fn a_key_that_is_none_is_refused() {
    let store = Address::fresh().open().await;
    let error = store.get("a/../b", None).await.unwrap_err();
    assert_says(&error, StoreErrorKind::Invalid, "a key is made of segments");
}
