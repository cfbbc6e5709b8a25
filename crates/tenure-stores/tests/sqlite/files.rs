//! A file that is taken away under a running process is noticed before anything is believed of it.

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use tenure::store::{Store, StoreError, StoreErrorKind, When};
use tenure_stores::sqlite::SqliteStore;

async fn opened() -> (tempfile::TempDir, PathBuf, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let store = SqliteStore::open(&file).await.unwrap();
    store.put("a", Bytes::from_static(b"x"), When::Absent).await.unwrap();
    (directory, file, store)
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

async fn errors(store: &SqliteStore) -> [StoreError; 3] {
    [
        store.get("a", None).await.unwrap_err(),
        store.list("").await.unwrap_err(),
        store.put("b", Bytes::new(), When::Absent).await.unwrap_err(),
    ]
}

#[tokio::test]
async fn a_deleted_file_is_noticed_by_every_call() {
    let (_directory, file, store) = opened().await;
    fs::remove_file(&file).unwrap();
    for error in errors(&store).await {
        assert_eq!(error.kind, StoreErrorKind::Incompatible);
        assert!(error.to_string().contains("tenure.db was deleted or moved away"), "{error}");
    }
}

#[tokio::test]
async fn a_replaced_file_is_noticed_by_every_call() {
    let (directory, file, store) = opened().await;
    let backup = directory.path().join("backup.db");
    fs::copy(&file, &backup).unwrap();
    fs::rename(&backup, &file).unwrap();
    for error in errors(&store).await {
        assert_eq!(error.kind, StoreErrorKind::Incompatible);
        assert!(error.to_string().contains("tenure.db was replaced by another file"), "{error}");
        assert!(error.to_string().contains("restart"), "{error}");
    }
}

#[tokio::test]
async fn a_file_that_comes_back_is_not_believed_again() {
    let (directory, file, store) = opened().await;
    let aside = directory.path().join("aside.db");
    fs::rename(&file, &aside).unwrap();
    store.get("a", None).await.unwrap_err();
    fs::rename(&aside, &file).unwrap();
    store.get("a", None).await.unwrap_err();
}

#[tokio::test]
async fn a_deleted_log_is_noticed_too() {
    let (_directory, file, store) = opened().await;
    fs::remove_file(with_suffix(&file, "-wal")).unwrap();
    let error = store.get("a", None).await.unwrap_err();
    assert!(error.to_string().contains("tenure.db-wal was deleted"), "{error}");
}
