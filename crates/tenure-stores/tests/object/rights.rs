//! Rights, on a server that checks signatures and policies: what the guide says to grant is enough, and what is missing is named.

use tenure::store::{Read, Removed, Store, StoreError, StoreErrorKind, When, Written};
use tenure_stores::object::ObjectStore;
use tenure_testbed::s3::Server;

/// The page that says what to grant.
const GUIDE: &str = include_str!("../../../../docs/guide/stores.md");

/// What the guide grants rights on.
pub(crate) const BUCKET: &str = "my-bucket";
pub(crate) const PREFIX: &str = "tenure";

/// The policy of the guide, as it stands there.
pub(crate) fn policy() -> String {
    let mut blocks = GUIDE.split("```json").skip(1).map(|after| after.split("```").next().unwrap());
    let json = blocks.find(|block| block.contains("s3:ListBucket")).unwrap();
    serde_json::from_str::<serde_json::Value>(json).unwrap().to_string()
}

/// A server on which only the rights of the guide are granted, without one of them.
async fn without(right: &str) -> Server {
    let all = policy();
    assert!(all.contains(right), "{all}");
    Server::guarded(BUCKET, &all.replace(right, "s3:GetBucketLocation")).await
}

fn address(server: &Server) -> String {
    server.url(BUCKET, PREFIX)
}

async fn open(server: &Server) -> Result<ObjectStore, StoreError> {
    ObjectStore::open_url(&address(server)).await
}

fn assert_denied(error: &StoreError, words: &str) {
    assert_eq!(error.kind, StoreErrorKind::Denied, "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

#[tokio::test]
async fn what_the_guide_says_to_grant_is_enough() {
    let server = Server::guarded(BUCKET, &policy()).await;
    let store = open(&server).await.unwrap();
    let Written::Stored(first) = store.put("c/a", "1".into(), When::Absent).await.unwrap() else { panic!() };
    let stored = store.put("c/a", "2".into(), When::Is(first.clone())).await.unwrap();
    let Written::Stored(second) = stored else { panic!("{stored:?}") };
    assert_eq!(store.put("c/a", "3".into(), When::Is(first)).await.unwrap(), Written::Conflict);
    assert!(matches!(store.get("c/a", None).await.unwrap(), Read::Found(_)));
    assert_eq!(store.list("c/").await.unwrap().len(), 1);
    assert_ne!(store.delete("c/a", &second).await.unwrap(), Removed::Conflict);
    assert_eq!(store.get("c/b", None).await.unwrap(), Read::Absent);
}

#[tokio::test]
async fn without_the_right_to_list_nothing_is_opened() {
    let server = without("s3:ListBucket").await;
    assert_denied(&open(&server).await.unwrap_err(), "s3:ListBucket on arn:aws:s3:::my-bucket");
}

#[tokio::test]
async fn without_the_right_to_write_a_write_says_so() {
    let server = without("s3:PutObject").await;
    let error = open(&server).await.unwrap().put("c/a", "1".into(), When::Absent).await.unwrap_err();
    assert_denied(&error, "s3:PutObject");
}

#[tokio::test]
async fn without_the_right_to_read_a_read_says_so() {
    let server = without("s3:GetObject").await;
    let store = open(&server).await.unwrap();
    store.put("c/a", "1".into(), When::Absent).await.unwrap();
    assert_denied(&store.get("c/a", None).await.unwrap_err(), "s3:GetObject");
}

#[tokio::test]
async fn a_prefix_that_was_not_granted_is_refused() {
    let server = Server::guarded(BUCKET, &policy()).await;
    let elsewhere = ObjectStore::open_url(&server.url("my-bucket", "others")).await.unwrap();
    let error = elsewhere.put("c/a", "1".into(), When::Absent).await.unwrap_err();
    assert_denied(&error, "arn:aws:s3:::my-bucket/others/");
}

#[tokio::test]
async fn a_key_that_the_server_does_not_know_and_a_secret_that_does_not_fit_are_told_apart() {
    let server = Server::guarded(BUCKET, &policy()).await;
    let right = address(&server);
    let id = right.split("access_key_id=").nth(1).unwrap().split('&').next().unwrap();
    let unknown = ObjectStore::open_url(&right.replace(id, "AKIANOBODYSOWNKEY000")).await.unwrap_err();
    assert_denied(&unknown, "the server does not know this key");
    let wrong = right.replace("secret_access_key=", "secret_access_key=hunter2");
    let error = ObjectStore::open_url(&wrong).await.unwrap_err();
    assert_denied(&error, "the secret does not fit the key");
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}
