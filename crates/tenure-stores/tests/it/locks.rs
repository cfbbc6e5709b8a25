//! Somebody holds the write lock and does not let go.

use bytes::Bytes;
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
