//! Many processes, one file.

use tenure::store::Store;
use tenure_stores::sqlite::SqliteStore;

use crate::child::{COUNTS, Other, number};

#[tokio::test]
async fn processes_that_create_the_file_at_once_all_find_it_and_lose_no_write() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let mut others: Vec<Other> = (0..6).map(|_| Other::start("opener", &file)).collect();
    others.iter_mut().for_each(Other::go_on);
    others.iter_mut().for_each(Other::finish);
    let store = SqliteStore::open(&file).await.unwrap();
    assert_eq!(number(&store).await, 6 * COUNTS);
}

#[tokio::test]
async fn what_was_acknowledged_outlives_a_killed_process() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let mut other = Other::start("writer", &file);
    other.go_on();
    other.finish();
    other.kill();
    let store = SqliteStore::open(&file).await.unwrap();
    assert_eq!(store.list("members/").await.unwrap().len(), 1);
}

#[tokio::test]
async fn versions_go_on_after_all_processes_have_ended() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let first = write_and_remove(&file).await;
    let second = write_and_remove(&file).await;
    assert_ne!(first, second);
}

async fn write_and_remove(file: &std::path::Path) -> tenure::store::Version {
    use tenure::store::{Removed, When, Written};
    let store = SqliteStore::open(file).await.unwrap();
    let written = store.put("a", bytes::Bytes::from_static(b"same"), When::Absent).await.unwrap();
    let Written::Stored(version) = written else { panic!("not stored") };
    assert_eq!(store.delete("a", &version).await.unwrap(), Removed::Deleted);
    version
}
