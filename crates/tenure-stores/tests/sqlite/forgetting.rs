//! An older copy of the database is noticed, even if it was copied into the very same file.

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use rusqlite::Connection;
use tenure::store::{Store, StoreError, StoreErrorKind, When, Written};
use tenure_stores::sqlite::SqliteStore;

/// A store in a folder of its own.
struct Testbed {
    folder: tempfile::TempDir,
    file: PathBuf,
    store: SqliteStore,
}

impl Testbed {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tenure.db");
        let store = SqliteStore::open(&file).await.unwrap();
        Self { folder, file, store }
    }

    /// One record has been written, and the database copied since.
    async fn backed_up() -> (Self, PathBuf) {
        let bed = Self::new().await;
        create(&bed.store, "a").await;
        checkpoint(&bed.file);
        let backup = bed.folder.path().join("backup.db");
        fs::copy(&bed.file, &backup).unwrap();
        (bed, backup)
    }
}

async fn create(store: &SqliteStore, key: &str) -> String {
    match store.put(key, Bytes::from_static(b"x"), When::Absent).await.unwrap() {
        Written::Stored(version) => version.as_str().to_owned(),
        Written::Conflict => panic!("{key} was there"),
    }
}

/// Brings everything from the log into the database.
fn checkpoint(file: &Path) {
    let program = Connection::open(file).unwrap();
    let busy: i64 = program.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
    assert_eq!(busy, 0);
}

/// What `cp` does: the file stays, its content is another.
fn copy_over(from: &Path, to: &Path) {
    let content = fs::read(from).unwrap();
    fs::write(to, content).unwrap();
}

fn assert_forgot(error: &StoreError, drawn: u32, given: u32) {
    assert_eq!(error.kind, StoreErrorKind::Incompatible, "{error}");
    let words = format!("tenure.db has drawn {drawn} versions, though {given} were given out");
    assert!(error.to_string().contains(&words), "{error}");
    assert!(
        error.to_string().contains("tenure.db-drawn, run `tenure store recover` and start again"),
        "{error}"
    );
}

#[tokio::test]
async fn a_backup_copied_over_the_file_under_a_running_process_is_noticed_by_every_call() {
    let (bed, backup) = Testbed::backed_up().await;
    create(&bed.store, "b").await;
    create(&bed.store, "c").await;
    checkpoint(&bed.file);
    copy_over(&backup, &bed.file);

    let written = bed.store.put("d", Bytes::new(), When::Absent).await;
    assert_forgot(&written.unwrap_err(), 1, 3);
    assert_forgot(&bed.store.get("a", None).await.unwrap_err(), 1, 3);
    assert_forgot(&bed.store.list("").await.unwrap_err(), 1, 3);
    assert_forgot(&SqliteStore::open(&bed.file).await.unwrap_err(), 1, 3);
}

#[tokio::test]
async fn a_reader_that_saw_less_than_others_drew_notices_as_well() {
    let (bed, backup) = Testbed::backed_up().await;
    let writer = SqliteStore::open(&bed.file).await.unwrap();
    create(&writer, "b").await;
    checkpoint(&bed.file);
    copy_over(&backup, &bed.file);
    assert_forgot(&bed.store.get("a", None).await.unwrap_err(), 1, 2);
}

#[tokio::test]
async fn a_backup_put_back_while_nobody_runs_is_refused_until_the_operator_says_so() {
    let (bed, backup) = Testbed::backed_up().await;
    create(&bed.store, "b").await;
    let Testbed { folder, file, store } = bed;
    drop(store);
    checkpoint(&file);
    for _ in 0..2 {
        copy_over(&backup, &file);
        assert_forgot(&SqliteStore::open(&file).await.unwrap_err(), 1, 2);
    }
    fs::remove_file(folder.path().join("tenure.db-drawn")).unwrap();
    let store = SqliteStore::open(&file).await.unwrap();
    assert_eq!(create(&store, "c").await, "2");
}

#[tokio::test]
async fn a_file_that_is_deleted_and_made_anew_begins_anew() {
    let Testbed { folder, file, store } = Testbed::new().await;
    create(&store, "a").await;
    drop(store);
    for name in ["tenure.db", "tenure.db-wal", "tenure.db-shm"] {
        let _ = fs::remove_file(folder.path().join(name));
    }
    let store = SqliteStore::open(&file).await.unwrap();
    assert_eq!(create(&store, "a").await, "1");
}

#[tokio::test]
async fn a_mark_that_is_deleted_under_a_running_process_is_noticed() {
    let bed = Testbed::new().await;
    fs::remove_file(bed.folder.path().join("tenure.db-drawn")).unwrap();
    let error = bed.store.get("a", None).await.unwrap_err();
    assert!(error.to_string().contains("tenure.db-drawn was deleted or moved away"), "{error}");
}
