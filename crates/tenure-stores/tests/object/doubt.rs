//! A write is said to be stored or refused only when that is certain, and is never sent twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tenure::store::{Read, Store, StoreErrorKind, When, Written};
use tenure_stores::object::ObjectStore;

use crate::address::Address;
use crate::scripted::{Answer, Asked, Scripted};
use crate::toy::Toy;

/// A server that carries out every write, and then answers it like this.
async fn server_that_stores_and(answer: Answer) -> (Scripted, ObjectStore) {
    let toy = Toy::sound();
    let server = Scripted::start(move |asked| match (toy.answer(asked), asked.method.as_str()) {
        (_, "PUT") => answer.clone(),
        (honest, _) => honest,
    });
    let server = server.await;
    let store = Address::of(server.address()).with("timeout", "1s").open().await;
    (server, store)
}

fn writes(server: &Scripted) -> usize {
    server.asked().iter().filter(|asked| asked.method == "PUT").count()
}

/// Whatever was answered: it may have landed, it has, and it was sent once.
async fn assert_leaves_doubt(answer: Answer) {
    let (server, store) = server_that_stores_and(answer).await;
    let error = store.put("a", "value".into(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    assert!(error.to_string().contains("read before writing again"), "{error}");
    let Read::Found(record) = store.get("a", None).await.unwrap() else { panic!("it did not land") };
    assert_eq!(record.value, "value");
    let again = store.put("a", "other".into(), When::Is(record.version.clone())).await.unwrap_err();
    assert_eq!(again.kind, StoreErrorKind::Indeterminate);
    assert_eq!(writes(&server), 2);
}

#[tokio::test]
async fn a_server_that_stores_and_says_500_leaves_doubt() {
    assert_leaves_doubt(Answer::say(500, "<Error><Code>InternalError</Code></Error>")).await;
}

#[tokio::test]
async fn a_server_that_stores_and_says_503_leaves_doubt() {
    assert_leaves_doubt(Answer::say(503, "<Error><Code>SlowDown</Code></Error>")).await;
}

#[tokio::test]
async fn a_server_that_stores_and_hangs_up_leaves_doubt() {
    assert_leaves_doubt(Answer::Close).await;
}

#[tokio::test]
async fn a_server_that_stores_and_falls_silent_leaves_doubt() {
    assert_leaves_doubt(Answer::Silence).await;
}

#[tokio::test]
async fn a_server_that_stores_and_names_no_version_leaves_doubt() {
    assert_leaves_doubt(Answer::say(200, "")).await;
}

#[tokio::test]
async fn a_removal_leaves_doubt_too() {
    let toy = Toy::sound();
    let server = Scripted::start(move |asked| match toy.answer(asked) {
        _ if asked.body.starts_with(b"tenure/object:-") => Answer::say(500, ""),
        honest => honest,
    });
    let server = server.await;
    let store = Address::of(server.address()).open().await;
    let Written::Stored(version) = store.put("a", "value".into(), When::Absent).await.unwrap() else {
        panic!()
    };
    let error = store.delete("a", &version).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Indeterminate);
    assert_eq!(store.get("a", None).await.unwrap(), Read::Absent);
}

#[tokio::test]
async fn a_delete_leaves_doubt_too() {
    let toy = Toy::sound();
    let server = Scripted::start(move |asked| match (toy.answer(asked), asked.method.as_str()) {
        (_, "DELETE") => Answer::Close,
        (honest, _) => honest,
    });
    let server = server.await;
    let store = Address::of(server.address()).with("conditional_delete", "true").open().await;
    let Written::Stored(version) = store.put("a", "value".into(), When::Absent).await.unwrap() else {
        panic!()
    };
    let error = store.delete("a", &version).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Indeterminate);
    let deletes: Vec<Asked> = server.asked().into_iter().filter(|asked| asked.method == "DELETE").collect();
    assert_eq!(deletes.len(), 1);
    assert_eq!(deletes[0].header("if-match"), Some(version.as_str()));
}

/// S3 says 409 when two writes of one object meet: this one was not carried out, and nothing need be there.
#[tokio::test]
async fn of_two_writes_that_met_the_one_refused_is_a_conflict() {
    let toy = Toy::sound();
    let server = Scripted::start(move |asked| match asked.method.as_str() {
        "PUT" => Answer::say(409, "<Error><Code>ConditionalRequestConflict</Code></Error>"),
        _ => toy.answer(asked),
    });
    let server = server.await;
    let store = Address::of(server.address()).open().await;
    assert_eq!(store.put("a", "value".into(), When::Absent).await.unwrap(), Written::Conflict);
    assert_eq!(store.get("a", None).await.unwrap(), Read::Absent);
    assert_eq!(writes(&server), 1);
}

#[tokio::test]
async fn a_version_of_nothing_is_a_conflict_though_s3_says_not_found() {
    let server = Scripted::start(|asked| match asked.lists() {
        true => Answer::say(200, "<ListBucketResult></ListBucketResult>"),
        false => Answer::say(404, "<Error><Code>NoSuchKey</Code></Error>"),
    });
    let server = server.await;
    let store = Address::of(server.address()).open().await;
    let version = tenure::store::Version::new("\"0123\"");
    assert_eq!(store.put("a", "value".into(), When::Is(version)).await.unwrap(), Written::Conflict);
}

#[tokio::test]
async fn a_read_that_fails_is_tried_again() {
    let (toy, failures) = (Toy::sound(), Arc::new(AtomicUsize::new(2)));
    let script = move |asked: &Asked| {
        let fails = asked.method == "GET" && !asked.lists();
        let left = |left: usize| left.checked_sub(1);
        if fails && failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left).is_ok() {
            return Answer::say(503, "<Error><Code>SlowDown</Code></Error>");
        }
        toy.answer(asked)
    };
    let server = Scripted::start(script).await;
    let store = Address::of(server.address()).open().await;
    store.put("a", "value".into(), When::Absent).await.unwrap();
    let Read::Found(record) = store.get("a", None).await.unwrap() else { panic!("it is not there") };
    assert_eq!(record.value, "value");
}

/// What an ingress says that has lost its backend.
const PAGE: &str = "<html><h1>404 Not Found</h1><p>nginx</p></html>";

#[tokio::test]
async fn the_page_of_an_ingress_says_neither_that_a_record_is_absent_nor_that_a_write_failed() {
    let (toy, lost) = (Toy::sound(), Arc::new(AtomicBool::new(false)));
    let backend = Arc::clone(&lost);
    let server = Scripted::start(move |asked| match lost.load(Ordering::SeqCst) {
        true => Answer::say(404, PAGE).with("Content-Type", "text/html"),
        false => toy.answer(asked),
    });
    let server = server.await;
    let store = Address::of(server.address()).open().await;
    let Written::Stored(version) = store.put("a", "value".into(), When::Absent).await.unwrap() else {
        panic!("it was not stored")
    };
    backend.store(true, Ordering::SeqCst);
    let read = store.get("a", None).await.unwrap_err();
    assert_eq!(read.kind, StoreErrorKind::Unavailable, "{read}");
    assert!(read.to_string().contains("check the endpoint, and for a proxy or an ingress"), "{read}");
    let known = store.get("a", Some(&version)).await.unwrap_err();
    assert_eq!(known.kind, StoreErrorKind::Unavailable, "{known}");
    let written = store.put("a", "other".into(), When::Is(version.clone())).await.unwrap_err();
    assert_eq!(written.kind, StoreErrorKind::Indeterminate, "{written}");
    backend.store(false, Ordering::SeqCst);
    assert_eq!(store.get("a", Some(&version)).await.unwrap(), Read::Unchanged);
}

#[tokio::test]
async fn a_bucket_that_vanished_is_no_absent_record() {
    let server = Scripted::start(|asked| match asked.lists() {
        true => Answer::say(200, "<ListBucketResult></ListBucketResult>"),
        false => Answer::say(404, "<Error><Code>NoSuchBucket</Code></Error>"),
    });
    let server = server.await;
    let store = Address::of(server.address()).open().await;
    let error = store.get("a", None).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Invalid, "{error}");
    assert!(error.to_string().contains("there is no bucket"), "{error}");
}
