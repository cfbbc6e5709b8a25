//! Looking: nothing is written, nothing is made, and what others write meanwhile is seen.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bytes::Bytes;
use futures_util::StreamExt;
use rusqlite::Connection;
use tenure::store::{Read, Store, StoreErrorKind, When};
use tenure_stores::sqlite::SqliteStore;

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

async fn written(path: &Path, value: &'static str) -> SqliteStore {
    let store = SqliteStore::open(path).await.unwrap();
    let when = match store.get("a", None).await.unwrap() {
        Read::Found(found) => When::Is(found.version),
        Read::Absent | Read::Unchanged => When::Absent,
    };
    store.put("a", Bytes::from_static(value.as_bytes()), when).await.unwrap();
    store
}

async fn read(store: &SqliteStore) -> String {
    match store.get("a", None).await.unwrap() {
        Read::Found(found) => String::from_utf8(found.value.to_vec()).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Drops the store, and waits until its thread has closed the file.
async fn closed(store: SqliteStore, folder: &Path) {
    drop(store);
    while names(folder).contains("tenure.db-wal") {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_database_that_nobody_has_open_is_read_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    closed(written(&path, "first").await, folder.path()).await;
    let before = names(folder.path());
    let looking = SqliteStore::look(&path).await.unwrap();
    assert_eq!(read(&looking).await, "first");
    assert_eq!(looking.list("").await.unwrap().len(), 1);
    assert_eq!(names(folder.path()), before);
}

#[tokio::test]
async fn whoever_looks_sees_what_is_written_by_those_who_come_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    closed(written(&path, "first").await, folder.path()).await;
    let looking = SqliteStore::look(&path).await.unwrap();
    let mut hints = looking.watch("");
    assert_eq!(read(&looking).await, "first");
    let store = written(&path, "second").await;
    assert!(hints.next().await.is_some());
    assert_eq!(read(&looking).await, "second");
    drop(store);
    let _store = written(&path, "third").await;
    assert!(hints.next().await.is_some());
    assert_eq!(read(&looking).await, "third");
}

#[tokio::test]
async fn a_log_that_a_killed_writer_left_is_read_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    let store = written(&path, "in the log").await;
    let left = tempfile::tempdir().unwrap();
    for name in ["tenure.db", "tenure.db-wal", "tenure.db-shm", "tenure.db-drawn"] {
        fs::copy(folder.path().join(name), left.path().join(name)).unwrap();
    }
    drop(store);
    let content = |name: &str| fs::read(left.path().join(name)).unwrap();
    // The index is memory that all readers share: who reads what is noted there.
    let before = (names(left.path()), content("tenure.db"), content("tenure.db-wal"));
    let looking = SqliteStore::look(left.path().join("tenure.db")).await.unwrap();
    assert_eq!(read(&looking).await, "in the log");
    drop(looking);
    let after = (names(left.path()), content("tenure.db"), content("tenure.db-wal"));
    assert!(before == after, "looking changed a file");
}

#[tokio::test]
async fn a_log_whose_index_is_gone_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    let store = written(&path, "in the log").await;
    let left = tempfile::tempdir().unwrap();
    // A process that was killed while it closed the file, between the index and the log.
    for name in ["tenure.db", "tenure.db-wal", "tenure.db-drawn"] {
        fs::copy(folder.path().join(name), left.path().join(name)).unwrap();
    }
    drop(store);
    let looking = SqliteStore::look(left.path().join("tenure.db")).await.unwrap();
    assert_eq!(read(&looking).await, "in the log");
}

#[tokio::test]
async fn whoever_looks_can_write_nothing_and_proves_no_death() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    let _store = written(&path, "first").await;
    let looking = SqliteStore::look(&path).await.unwrap();
    let error = looking.put("b", Bytes::new(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.to_string().contains("it was opened to look"), "{error}");
    assert!(looking.witness().is_none());
}

#[tokio::test]
async fn a_file_that_holds_nothing_yet_is_told_and_left_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    fs::write(&path, b"").unwrap();
    let error = SqliteStore::look(&path).await.unwrap_err();
    assert!(error.to_string().contains("it holds nothing yet; start a member on it"), "{error}");
    assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap().len()), (1, 0));
    let error = SqliteStore::look(folder.path().join("mistyped.db")).await.unwrap_err();
    assert!(error.to_string().contains("there is no such file"), "{error}");
    assert_eq!(names(folder.path()).len(), 1);
}

#[tokio::test]
async fn the_database_of_another_program_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE orders (id)").unwrap();
    let error = SqliteStore::look(&path).await.unwrap_err();
    assert!(error.to_string().contains("the database of another program"), "{error}");
}

#[tokio::test]
async fn an_older_copy_is_noticed_by_those_who_look() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    closed(written(&path, "first").await, folder.path()).await;
    let older = fs::read(&path).unwrap();
    closed(written(&path, "second").await, folder.path()).await;
    fs::write(&path, older).unwrap();
    let error = SqliteStore::look(&path).await.unwrap_err();
    assert!(error.to_string().contains("it is an older copy, or another database"), "{error}");
}

/// Whoever has the file open last removes its log and index: somebody who looks just then must not take that for a file that it
/// may not read.
#[tokio::test(flavor = "multi_thread")]
async fn a_look_while_the_last_one_goes_succeeds_whenever_that_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    closed(written(&path, "first").await, folder.path()).await;
    let comes = path.clone();
    let others = tokio::spawn(async move {
        for _ in 0..100 {
            drop(written(&comes, "again").await);
            // Its thread closes the file by and by; sometimes the next one comes before that.
            tokio::task::yield_now().await;
        }
    });
    let mut looks = 0;
    while !others.is_finished() {
        let looking = SqliteStore::look(&path).await.unwrap();
        assert!(["first", "again"].contains(&read(&looking).await.as_str()));
        looks += 1;
    }
    others.await.unwrap();
    assert!(looks > 1);
}
