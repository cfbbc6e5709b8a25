//! The conditions that go over the wire, in each provider's own words.

use tenure::store::{Read, Store, StoreErrorKind, Version, When, Written};
use tenure_stores::object::ObjectStore;

use crate::address::Address;
use crate::scripted::{Answer, Asked, Scripted};

const S3_LIST: &str = "<ListBucketResult></ListBucketResult>";
const AZURE_LIST: &str = "<EnumerationResults><Blobs></Blobs></EnumerationResults>";

/// A server that answers all with the same object, and refuses writes if `refuse` says so.
async fn server(
    list: &'static str,
    refuse: impl Fn(&Asked) -> Option<Answer> + Send + Sync + 'static,
) -> Scripted {
    Scripted::start(move |asked| match refuse(asked) {
        _ if asked.lists() => Answer::say(200, list),
        Some(refusal) => refusal,
        None => Answer::say(200, "value")
            .with("ETag", "\"0x8DC\"")
            .with("x-goog-generation", "17")
            .with("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
    })
    .await
}

async fn google(server: &Scripted) -> ObjectStore {
    let options = format!("base_url=http://{}&bearer_token=hunter2", server.address());
    ObjectStore::open_url(&format!("gs://shop/p?{options}")).await.unwrap()
}

async fn azure(server: &Scripted) -> ObjectStore {
    let options =
        format!("account=me&access_key=aHVudGVyMg==&allow_http=true&endpoint=http://{}", server.address());
    ObjectStore::open_url(&format!("az://shop/p?{options}")).await.unwrap()
}

fn last(server: &Scripted) -> Asked {
    server.asked().pop().unwrap()
}

fn stored(text: &str) -> Written {
    Written::Stored(Version::new(text))
}

#[tokio::test]
async fn s3_is_asked_by_etag() {
    let server = server(S3_LIST, |_| None).await;
    let store = Address::of(server.address()).open().await;
    let created = store.put("c/a", "value".into(), When::Absent).await.unwrap();
    assert_eq!(created, stored("\"0x8DC\""));
    assert_eq!(
        (last(&server).target.as_str(), last(&server).header("if-none-match")),
        ("/shop/p/c/a", Some("*"))
    );
    let version = Version::new("\"0x8DC\"");
    store.put("c/a", "value".into(), When::Is(version.clone())).await.unwrap();
    assert_eq!(last(&server).header("if-match"), Some("\"0x8DC\""));
    store.get("c/a", Some(&version)).await.unwrap();
    assert_eq!(last(&server).header("if-none-match"), Some("\"0x8DC\""));
}

#[tokio::test]
async fn google_is_asked_by_generation() {
    let server = server(S3_LIST, |_| None).await;
    let store = google(&server).await;
    assert_eq!(store.kind(), "gs");
    assert_eq!(store.put("c/a", "value".into(), When::Absent).await.unwrap(), stored("17"));
    let asked = last(&server);
    assert_eq!(asked.header("x-goog-if-generation-match"), Some("0"));
    assert_eq!(asked.header("authorization"), Some("Bearer hunter2"));
    store.put("c/a", "value".into(), When::Is(Version::new("17"))).await.unwrap();
    assert_eq!(last(&server).header("x-goog-if-generation-match"), Some("17"));
}

#[tokio::test]
async fn google_deletes_by_generation() {
    let server = server(S3_LIST, |_| None).await;
    let options = format!("base_url=http://{}&bearer_token=x&conditional_delete=true", server.address());
    let store = ObjectStore::open_url(&format!("gs://shop/p?{options}")).await.unwrap();
    store.delete("c/a", &Version::new("17")).await.unwrap();
    let asked = last(&server);
    assert_eq!(asked.method, "DELETE");
    assert_eq!(asked.header("x-goog-if-generation-match"), Some("17"));
}

/// Equal contents have equal ETags there, whatever their generations.
#[tokio::test]
async fn google_is_never_asked_to_compare_etags() {
    let server = server(S3_LIST, |_| None).await;
    let store = google(&server).await;
    assert_eq!(store.get("c/a", Some(&Version::new("17"))).await.unwrap(), Read::Unchanged);
    assert_eq!(last(&server).header("if-none-match"), None);
    let Read::Found(record) = store.get("c/a", Some(&Version::new("16"))).await.unwrap() else { panic!() };
    assert_eq!((record.version, &record.value[..]), (Version::new("17"), &b"value"[..]));
}

#[tokio::test]
async fn a_refusal_of_google_is_a_conflict() {
    let refuse = |asked: &Asked| (asked.method == "PUT").then(|| Answer::say(412, ""));
    let server = server(S3_LIST, refuse).await;
    let store = google(&server).await;
    assert_eq!(store.put("c/a", "value".into(), When::Absent).await.unwrap(), Written::Conflict);
    let stale = When::Is(Version::new("16"));
    assert_eq!(store.put("c/a", "value".into(), stale).await.unwrap(), Written::Conflict);
}

#[tokio::test]
async fn a_write_that_google_gave_no_generation_for_is_unknown() {
    let unnamed = |asked: &Asked| (asked.method == "PUT").then(|| Answer::say(200, "").with("ETag", "\"x\""));
    let server = server(S3_LIST, unnamed).await;
    let error = google(&server).await.put("c/a", "value".into(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    assert!(error.to_string().contains("read before writing again"), "{error}");
}

#[tokio::test]
async fn a_blob_is_absent_by_azures_own_word_alone() {
    let missing = |asked: &Asked| {
        (asked.method == "GET").then(|| match asked.target.contains("absent") {
            true => Answer::say(404, "").with("x-ms-error-code", "BlobNotFound"),
            false => Answer::say(404, "<html>"),
        })
    };
    let server = server(AZURE_LIST, missing).await;
    let store = azure(&server).await;
    assert_eq!(store.get("c/absent", None).await.unwrap(), Read::Absent);
    assert_eq!(store.get("c/hidden", None).await.unwrap_err().kind, StoreErrorKind::Unavailable);
}

#[tokio::test]
async fn azure_is_asked_by_etag() {
    let server = server(AZURE_LIST, |_| None).await;
    let store = azure(&server).await;
    assert_eq!(store.kind(), "az");
    assert_eq!(store.put("c/a", "value".into(), When::Absent).await.unwrap(), stored("\"0x8DC\""));
    let asked = last(&server);
    assert_eq!(
        (asked.header("if-none-match"), asked.header("x-ms-blob-type")),
        (Some("*"), Some("BlockBlob"))
    );
    assert!(asked.header("x-ms-version").is_some(), "{asked:?}");
    assert!(asked.header("authorization").is_some_and(|header| header.starts_with("SharedKey me:")));
    store.put("c/a", "value".into(), When::Is(Version::new("\"0x8DC\""))).await.unwrap();
    assert_eq!(last(&server).header("if-match"), Some("\"0x8DC\""));
}

#[tokio::test]
async fn a_blob_that_exists_already_is_a_conflict() {
    let refuse = |asked: &Asked| {
        let refusal = Answer::say(409, "").with("x-ms-error-code", "BlobAlreadyExists");
        (asked.method == "PUT").then_some(refusal)
    };
    let server = server(AZURE_LIST, refuse).await;
    let store = azure(&server).await;
    assert_eq!(store.put("c/a", "value".into(), When::Absent).await.unwrap(), Written::Conflict);
}

#[tokio::test]
async fn keys_of_every_provider_stay_secret() {
    let (one, other) = (server(S3_LIST, |_| None).await, server(AZURE_LIST, |_| None).await);
    let shown = format!("{:?} {:?}", google(&one).await, azure(&other).await);
    assert_eq!(shown, "ObjectStore(gs://shop/p) ObjectStore(az://shop/p)");
}
