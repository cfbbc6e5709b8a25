//! Somebody holds the write lock and does not let go.

use bytes::Bytes;
use futures_util::FutureExt;
use rusqlite::Connection;
use tenure::store::{Read, Store, StoreErrorKind, When, Written};
use tenure_stores::sqlite::SqliteStore;

#[tokio::test]
async fn a_write_that_cannot_get_the_lock_did_not_happen_and_reads_go_on() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let store = SqliteStore::open(&file).await.unwrap();
    let stopped = Connection::open(&file).unwrap();
    stopped.execute_batch("BEGIN IMMEDIATE").unwrap();

    let error = store.put("a", Bytes::new(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert!(error.to_string().contains("another process held the lock"), "{error}");
    assert_eq!(store.get("a", None).await.unwrap(), Read::Absent);

    stopped.execute_batch("ROLLBACK").unwrap();
    let written = store.put("a", Bytes::new(), When::Absent).await.unwrap();
    assert!(matches!(written, Written::Stored(_)), "it had landed after all");
}

#[tokio::test]
async fn a_file_whose_lock_is_held_can_be_opened_and_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let first = SqliteStore::open(&file).await.unwrap();
    first.put("a", Bytes::from_static(b"x"), When::Absent).await.unwrap();
    let stopped = Connection::open(&file).unwrap();
    stopped.execute_batch("BEGIN IMMEDIATE").unwrap();

    let second = SqliteStore::open(&file).await.unwrap();
    assert_eq!(second.list("").await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_call_dropped_before_its_turn_is_not_carried_out() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let store = SqliteStore::open(&file).await.unwrap();
    let stopped = Connection::open(&file).unwrap();
    stopped.execute_batch("BEGIN IMMEDIATE").unwrap();

    let waiting = tokio::spawn({
        let store = store.clone();
        async move { store.put("first", Bytes::new(), When::Absent).await }
    });
    tokio::task::yield_now().await;
    // The thread is busy with the first, or will be: the second waits for its turn, and its caller goes.
    assert!(store.put("second", Bytes::new(), When::Absent).now_or_never().is_none());
    waiting.await.unwrap().unwrap_err();
    stopped.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.list("").await.unwrap(), []);
}
