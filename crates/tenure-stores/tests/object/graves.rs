//! A removed record leaves a grave that nobody sees.

use tenure::clock::Clock;
use tenure::store::{Read, Removed, Store, StoreErrorKind, Version, When, Written, probe};
use tenure_stores::object::ObjectStore;
use tenure_testbed::s3::Server;

use crate::address::Address;

async fn stored(store: &ObjectStore, key: &str, value: &str, when: When) -> Version {
    match store.put(key, value.to_owned().into(), when).await.unwrap() {
        Written::Stored(version) => version,
        Written::Conflict => panic!("{key} was a conflict"),
    }
}

#[tokio::test]
async fn a_grave_is_neither_read_nor_listed_by_any_handle() {
    let address = Address::fresh();
    let (store, other) = (address.open().await, address.open().await);
    let version = stored(&store, "c/members/a", "alive", When::Absent).await;
    assert_eq!(other.list("c/members/").await.unwrap().len(), 1);
    assert_eq!(store.delete("c/members/a", &version).await.unwrap(), Removed::Deleted);
    for handle in [&store, &other] {
        assert_eq!(handle.get("c/members/a", None).await.unwrap(), Read::Absent);
        assert_eq!(handle.get("c/members/a", Some(&version)).await.unwrap(), Read::Absent);
        assert_eq!(handle.list("c/members/").await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_key_can_be_removed_and_come_back_again_and_again() {
    let store = Address::fresh().open().await;
    for round in 0..3 {
        let version = stored(&store, "c/members/a", &round.to_string(), When::Absent).await;
        assert_eq!(store.put("c/members/a", "x".into(), When::Absent).await.unwrap(), Written::Conflict);
        assert_eq!(store.delete("c/members/a", &version).await.unwrap(), Removed::Deleted);
        assert_eq!(store.delete("c/members/a", &version).await.unwrap(), Removed::Conflict);
        let late = store.put("c/members/a", "late".into(), When::Is(version)).await.unwrap();
        assert_eq!(late, Written::Conflict);
    }
}

#[tokio::test]
async fn a_record_that_begins_like_a_grave_is_a_record() {
    let store = Address::fresh().open().await;
    let value = "tenure/object:-0123";
    stored(&store, "a", value, When::Absent).await;
    let Read::Found(record) = store.get("a", None).await.unwrap() else { panic!("it is not there") };
    assert_eq!(record.value, value);
    assert_eq!(store.list("").await.unwrap()[0].record.value, value);
}

#[tokio::test]
async fn a_probe_leaves_nothing_behind() {
    let address = Address::fresh();
    let store = address.open().await;
    probe(&store, "c/", "0123456789abcdef").await.unwrap();
    // The last grave goes in the background.
    for _ in 0..200 {
        match ObjectStore::open_existing_url(address.as_str()).await {
            Err(error) if error.kind == StoreErrorKind::Invalid => {
                assert!(error.to_string().contains("nothing is there"), "{error}");
                return;
            }
            Err(error) => panic!("{error}"),
            Ok(_) => Clock::boot().sleep(std::time::Duration::from_millis(10)).await,
        }
    }
    panic!("something is still there");
}

#[tokio::test]
async fn a_server_that_is_trusted_with_deletes_keeps_no_grave() {
    let server = Server::start().await;
    let address = Address::trusted(&server).await;
    let store = address.open().await;
    let first = stored(&store, "c/members/a", "first", When::Absent).await;
    let second = stored(&store, "c/members/a", "second", When::Is(first.clone())).await;
    assert_eq!(store.delete("c/members/a", &first).await.unwrap(), Removed::Conflict);
    assert_eq!(store.delete("c/members/a", &second).await.unwrap(), Removed::Deleted);
    assert_eq!(store.delete("c/members/a", &second).await.unwrap(), Removed::Conflict);
    let nothing = ObjectStore::open_existing_url(address.as_str()).await.unwrap_err();
    assert!(nothing.to_string().contains("nothing is there"), "{nothing}");
}

#[tokio::test]
async fn graves_and_deletes_get_along() {
    let server = Server::start().await;
    let address = Address::trusted(&server).await;
    let (deletes, buries) = (address.open().await, address.with("conditional_delete", "false").open().await);
    let version = stored(&buries, "c/members/a", "first", When::Absent).await;
    buries.delete("c/members/a", &version).await.unwrap();
    assert_eq!(deletes.get("c/members/a", None).await.unwrap(), Read::Absent);
    let version = stored(&deletes, "c/members/a", "second", When::Absent).await;
    assert_eq!(deletes.delete("c/members/a", &version).await.unwrap(), Removed::Deleted);
    stored(&buries, "c/members/a", "third", When::Absent).await;
}
