//! Every call brings exactly one reply, whatever the store does.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use tenure_core::message::When;
use tenure_core::record::Version;
use tokio::sync::mpsc;

use super::*;
use crate::store::layer::Faulty;
use crate::store::layer::faulty::{Outage, Script, Verdict};
use crate::store::{Entry, Memory, Operation, Store};

fn location() -> Location {
    Location::of(&"orders".parse().unwrap())
}

/// Everything that a call of `request` brings, and there must be exactly one thing.
async fn reply(store: impl Store, request: Request) -> (Reply, bool) {
    let (inbox, mut receiver) = mpsc::unbounded_channel();
    let calls = Calls::new(Arc::new(store), location(), inbox);
    calls.send(CallId(7), request);
    drop(calls);
    let Some(Input::Reply { call, reply, ledger }) = receiver.recv().await else { panic!("no reply") };
    assert_eq!(call, CallId(7));
    assert!(receiver.recv().await.is_none(), "more than one reply");
    (reply, ledger)
}

fn put(key: Key, value: &'static str) -> Request {
    Request::Put { key, value: Bytes::from_static(value.as_bytes()), when: When::Absent }
}

#[tokio::test]
async fn records_are_kept_under_the_clusters_name() {
    let store = Memory::new();
    assert!(matches!(reply(store.clone(), put(Key::Page(3), "p")).await, (Reply::Stored(_), true)));
    let kept: Vec<String> = store.list("").await.unwrap().into_iter().map(|entry| entry.key).collect();
    assert_eq!(kept, ["orders/ledger/00003"]);
    let (read, _) = reply(store, Request::Get { key: Key::Page(3), unless: None }).await;
    assert!(matches!(read, Reply::Found(record) if record.value == "p"));
}

#[tokio::test]
async fn only_a_page_that_was_read_or_written_changes_the_ledger() {
    let store = Memory::new();
    assert!(!reply(store.clone(), put(Key::Meta, "m")).await.1);
    let absent = reply(store.clone(), Request::Get { key: Key::Page(0), unless: None }).await;
    assert_eq!(absent, (Reply::Absent, false));
    reply(store.clone(), put(Key::Page(0), "p")).await;
    assert_eq!(reply(store, put(Key::Page(0), "q")).await, (Reply::Conflict, false));
}

#[tokio::test]
async fn a_listing_leaves_out_what_is_no_member() {
    let store = Memory::new();
    for key in
        ["orders/members/a", "orders/members/a/b", "orders/members/", "others/members/c", "orders/meta"]
    {
        store.put(key, Bytes::new(), When::Absent).await.unwrap();
    }
    let (Reply::Members(members), _) = reply(store, Request::ListMembers).await else { panic!() };
    assert_eq!(members.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["a"]);
}

#[tokio::test]
async fn errors_become_faults_that_say_why() {
    let outage = Outage::new();
    outage.begin();
    let cut_off = Faulty::new(Memory::new(), 1).judged_by(outage);
    let (Reply::Failed(Fault::Unavailable(why)), false) = reply(cut_off, put(Key::Meta, "m")).await else {
        panic!()
    };
    assert!(why.contains("orders/meta"), "{why}");
    let lost = Faulty::new(Memory::new(), 1).judged_by(Script::of(Operation::Put, [Verdict::LoseReply]));
    assert!(matches!(reply(lost, put(Key::Meta, "m")).await.0, Reply::Failed(Fault::Indeterminate(_))));
}

#[derive(Debug)]
struct Bomb;

#[async_trait]
impl Store for Bomb {
    fn kind(&self) -> &'static str {
        "bomb"
    }

    async fn get(&self, _key: &str, _unless: Option<&Version>) -> Result<Read, StoreError> {
        panic!("boom")
    }

    async fn put(&self, _key: &str, _value: Bytes, _when: When) -> Result<Written, StoreError> {
        panic!("boom")
    }

    async fn delete(&self, _key: &str, _version: &Version) -> Result<Removed, StoreError> {
        Ok(Removed::Unsupported)
    }

    async fn list(&self, _prefix: &str) -> Result<Vec<Entry>, StoreError> {
        panic!("boom")
    }
}

#[tokio::test]
async fn a_store_that_panics_may_have_done_its_work() {
    assert!(matches!(reply(Bomb, put(Key::Meta, "m")).await.0, Reply::Failed(Fault::Indeterminate(_))));
}

#[tokio::test]
async fn a_store_that_cant_remove_leaves_everything_as_it_is() {
    let delete = Request::Delete { key: Key::Meta, version: Version::new("1") };
    assert_eq!(reply(Bomb, delete).await.0, Reply::Conflict);
}
