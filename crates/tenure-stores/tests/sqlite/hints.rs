//! Changes by others are told; our own are not.

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tenure::store::{Hint, Store, Version, Versioned, When, Written};
use tenure_stores::sqlite::SqliteStore;

use crate::child::Other;

async fn pair() -> (tempfile::TempDir, SqliteStore, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let store = SqliteStore::open(&file).await.unwrap();
    let other = SqliteStore::open(&file).await.unwrap();
    (directory, store, other)
}

async fn create(store: &SqliteStore, key: &str) -> Version {
    match store.put(key, Bytes::from_static(b"x"), When::Absent).await.unwrap() {
        Written::Stored(version) => version,
        Written::Conflict => panic!("{key} was there"),
    }
}

/// The key of the next hint.
async fn told(hints: &mut BoxStream<'static, Hint>) -> Option<String> {
    hints.next().await.unwrap().key
}

fn of(key: &str) -> Option<String> {
    Some(key.to_owned())
}

#[tokio::test]
async fn a_change_by_another_process_is_told_with_its_key() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let store = SqliteStore::open(&file).await.unwrap();
    let mut hints = store.watch("members/");
    let mut other = Other::start("writer", &file);
    other.go_on();
    assert_eq!(told(&mut hints).await, of("members/child"));
    other.finish();
}

#[tokio::test]
async fn a_change_brings_the_record_along() {
    let (_directory, store, other) = pair().await;
    let mut hints = store.watch("members/");
    let version = create(&other, "members/a").await;
    let record = Versioned { version, value: Bytes::from_static(b"x") };
    assert_eq!(hints.next().await, Some(Hint::of("members/a").with(record)));
}

#[tokio::test]
async fn our_own_changes_are_not_told() {
    let (_directory, store, other) = pair().await;
    let mut hints = store.watch("");
    create(&store, "own").await;
    create(&other, "foreign").await;
    assert_eq!(told(&mut hints).await, of("foreign"));
}

#[tokio::test]
async fn changes_elsewhere_are_not_told() {
    let (_directory, store, other) = pair().await;
    let mut hints = store.watch("members/");
    create(&other, "ledger/00000").await;
    create(&other, "members/a").await;
    assert_eq!(told(&mut hints).await, of("members/a"));
}

#[tokio::test]
async fn a_removal_is_told_without_its_key() {
    let (_directory, store, other) = pair().await;
    let version = create(&other, "members/a").await;
    let mut hints = store.watch("members/");
    other.delete("members/a", &version).await.unwrap();
    let told = loop {
        let hint = hints.next().await.unwrap();
        if hint.key.is_none() {
            break hint;
        }
    };
    assert_eq!(told, Hint::anything());
}

#[tokio::test]
async fn every_watcher_is_told() {
    let (_directory, store, other) = pair().await;
    let (mut first, mut second) = (store.watch("a/"), store.clone().watch("a/"));
    create(&other, "a/1").await;
    assert_eq!(told(&mut first).await, of("a/1"));
    assert_eq!(told(&mut second).await, of("a/1"));
}

#[tokio::test]
async fn a_change_by_another_program_is_told_as_well() {
    let (directory, store, _other) = pair().await;
    create(&store, "members/a").await;
    let mut hints = store.watch("members/");
    let program = rusqlite::Connection::open(directory.path().join("tenure.db")).unwrap();
    program.execute("UPDATE counter SET drawn = drawn + 1", []).unwrap();
    program.execute("DELETE FROM records", []).unwrap();
    assert_eq!(hints.next().await, Some(Hint::anything()));
}
