//! A path or file that can't be used is refused with what to do about it.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use tenure::store::{StoreError, StoreErrorKind};
use tenure_stores::sqlite::SqliteStore;

async fn refusal(path: impl AsRef<Path>) -> StoreError {
    SqliteStore::open(path).await.unwrap_err()
}

fn assert_says(error: &StoreError, kind: StoreErrorKind, words: &str) {
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(error.kind, kind, "{error}");
}

#[tokio::test]
async fn a_missing_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let error = refusal(directory.path().join("nowhere/tenure.db")).await;
    assert_says(&error, StoreErrorKind::Invalid, "its directory does not exist; create it first");
    assert!(error.to_string().contains("nowhere/tenure.db"), "{error}");
}

#[tokio::test]
async fn a_directory_is_not_a_file() {
    let directory = tempfile::tempdir().unwrap();
    assert_says(&refusal(directory.path()).await, StoreErrorKind::Invalid, "it is a directory");
}

#[tokio::test]
async fn a_path_through_a_file_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = refusal(file.path().join("tenure.db")).await;
    assert_says(&error, StoreErrorKind::Invalid, "a part of its path is a file");
}

#[tokio::test]
async fn no_path_at_all_is_refused() {
    assert_says(&refusal("").await, StoreErrorKind::Invalid, "no file is named");
}

#[tokio::test]
async fn an_unwritable_path_says_what_to_check() {
    // Nobody can create a file there, not even root.
    let error = refusal("/proc/tenure.db").await;
    assert_says(
        &error,
        StoreErrorKind::Denied,
        "check that its directory exists and that this user may write",
    );
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("notes.txt");
    let notes = "these are notes, not a database\n".repeat(100);
    fs::write(&file, &notes).unwrap();
    assert_says(&refusal(&file).await, StoreErrorKind::Incompatible, "is not a SQLite database");
    assert_eq!(fs::read_to_string(&file).unwrap(), notes);
}

#[tokio::test]
async fn the_database_of_another_program_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("shop.db");
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE orders (id)").unwrap();
    assert_says(&refusal(&file).await, StoreErrorKind::Incompatible, "the database of another program");
    let connection = Connection::open(&file).unwrap();
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "delete");
}

#[tokio::test]
async fn a_newer_layout_asks_for_an_upgrade() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    drop(SqliteStore::open(&file).await.unwrap());
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 7).unwrap();
    let error = refusal(&file).await;
    assert_says(&error, StoreErrorKind::Incompatible, "its layout is 7, and this build knows 1; upgrade");
}

#[tokio::test]
async fn an_address_opens_the_file_it_names() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    SqliteStore::open_url(&format!("sqlite://{}", file.display())).await.unwrap();
    assert!(file.exists());
}

#[tokio::test]
async fn an_address_of_another_store_is_refused() {
    let error = SqliteStore::open_url("etcd:localhost").await.unwrap_err();
    assert_says(&error, StoreErrorKind::Invalid, "does not begin with sqlite:");
}
