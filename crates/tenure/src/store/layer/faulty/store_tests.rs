//! Each verdict does to a call what it says, and no more.

use super::*;
use crate::store::Memory;
use crate::store::layer::faulty::{Chance, Outage, Script};
use crate::testing::{Subject, store_suite};
use tenure_core::moment::Moment;

async fn faultless() -> Subject {
    let store = Memory::new();
    Subject::new(Faulty::new(store.clone(), 1)).with_second_handle(Faulty::new(store, 2))
}

store_suite!(faultless);

const SOON: Duration = Duration::from_secs(5);

fn scripted(operation: Operation, verdict: Verdict) -> (Memory, Faulty<Memory>) {
    let inner = Memory::new();
    (inner.clone(), Faulty::new(inner, 1).judged_by(Script::of(operation, [verdict])))
}

async fn value_of(store: &impl Store, key: &str) -> Option<Bytes> {
    match store.get(key, None).await.unwrap() {
        Read::Found(record) => Some(record.value),
        Read::Absent | Read::Unchanged => None,
    }
}

async fn create(store: &impl Store, key: &str) -> Result<Written, StoreError> {
    store.put(key, Bytes::from_static(b"x"), When::Absent).await
}

#[tokio::test]
async fn a_refused_write_did_not_happen_and_says_so() {
    let (inner, store) = scripted(Operation::Put, Verdict::Refuse);
    assert_eq!(create(&store, "a").await.unwrap_err().kind, StoreErrorKind::Unavailable);
    assert_eq!(value_of(&inner, "a").await, None);
}

#[tokio::test]
async fn a_write_whose_request_is_lost_is_unknown_and_did_not_happen() {
    let (inner, store) = scripted(Operation::Put, Verdict::LoseRequest);
    assert_eq!(create(&store, "a").await.unwrap_err().kind, StoreErrorKind::Indeterminate);
    assert_eq!(value_of(&inner, "a").await, None);
}

#[tokio::test]
async fn a_write_whose_reply_is_lost_is_unknown_and_landed() {
    let (inner, store) = scripted(Operation::Put, Verdict::LoseReply);
    assert_eq!(create(&store, "a").await.unwrap_err().kind, StoreErrorKind::Indeterminate);
    assert!(value_of(&inner, "a").await.is_some());
}

#[tokio::test]
async fn a_false_conflict_is_told_for_a_write_that_landed() {
    let (inner, store) = scripted(Operation::Put, Verdict::FalseConflict);
    assert_eq!(create(&store, "a").await.unwrap(), Written::Conflict);
    assert!(value_of(&inner, "a").await.is_some());
}

#[tokio::test]
async fn a_straggling_write_lands_after_its_caller_gave_up() {
    let (clock, hand) = Clock::manual(Moment::ZERO);
    let (inner, store) = scripted(Operation::Put, Verdict::Straggle(SOON));
    let store = store.with_clock(clock);
    let mut hints = inner.watch("");
    assert_eq!(create(&store, "a").await.unwrap_err().kind, StoreErrorKind::Indeterminate);
    assert_eq!(value_of(&inner, "a").await, None);
    hand.advance(SOON * 2);
    hints.next().await.unwrap();
    assert!(value_of(&inner, "a").await.is_some());
}

#[tokio::test]
async fn a_duplicated_create_brings_back_what_was_removed() {
    let (clock, hand) = Clock::manual(Moment::ZERO);
    let (inner, store) = scripted(Operation::Put, Verdict::Duplicate(SOON));
    let store = store.with_clock(clock);
    let Written::Stored(version) = create(&store, "a").await.unwrap() else { panic!("not stored") };
    assert_eq!(inner.delete("a", &version).await.unwrap(), Removed::Deleted);
    let mut hints = inner.watch("");
    hand.advance(SOON * 2);
    hints.next().await.unwrap();
    assert!(value_of(&inner, "a").await.is_some());
}

#[tokio::test]
async fn a_delayed_call_waits_and_is_then_carried_out() {
    let (clock, hand) = Clock::manual(Moment::ZERO);
    let (inner, store) = scripted(Operation::Put, Verdict::Delay(SOON));
    let store = Arc::new(store.with_clock(clock));
    let mut call = tokio::spawn({
        let store = Arc::clone(&store);
        async move { create(&store, "a").await }
    });
    tokio::task::yield_now().await;
    assert!(futures_util::poll!(&mut call).is_pending());
    assert_eq!(value_of(&inner, "a").await, None);
    hand.advance(SOON);
    assert!(matches!(call.await.unwrap(), Ok(Written::Stored(_))));
}

#[tokio::test]
async fn a_stale_list_shows_what_the_last_one_showed() {
    let inner = Memory::new();
    let verdicts = [Verdict::Pass, Verdict::Stale];
    let store = Faulty::new(inner.clone(), 1).judged_by(Script::of(Operation::List, verdicts));
    create(&inner, "a/1").await.unwrap();
    assert_eq!(store.list("a/").await.unwrap().len(), 1);
    create(&inner, "a/2").await.unwrap();
    assert_eq!(store.list("a/").await.unwrap().len(), 1);
    assert_eq!(store.list("a/").await.unwrap().len(), 2);
}

#[tokio::test]
async fn an_outage_begins_and_ends_while_the_store_is_used() {
    let outage = Outage::new();
    let store = Faulty::new(Memory::new(), 1).judged_by(outage.clone());
    outage.begin_for_writes();
    assert_eq!(value_of(&store, "a").await, None);
    create(&store, "a").await.unwrap_err();
    outage.begin();
    store.get("a", None).await.unwrap_err();
    outage.end();
    create(&store, "a").await.unwrap();
}

#[tokio::test]
async fn lost_hints_never_arrive() {
    let inner = Memory::new();
    let outage = Outage::new();
    let store = Faulty::new(inner.clone(), 1).judged_by(outage.clone());
    let mut hints = store.watch("");
    outage.begin();
    create(&inner, "lost").await.unwrap();
    assert!(futures_util::poll!(hints.next()).is_pending());
    outage.end();
    create(&inner, "heard").await.unwrap();
    assert_eq!(hints.next().await.and_then(|hint| hint.key).as_deref(), Some("heard"));
}

#[tokio::test]
async fn the_first_verdict_that_is_not_pass_wins() {
    let store = Faulty::new(Memory::new(), 1)
        .judged_by(Script::of(Operation::Put, [Verdict::Pass, Verdict::LoseReply]))
        .judged_by(Chance::of(Verdict::Refuse, 1.0).on(&[Operation::Put]));
    assert_eq!(create(&store, "a").await.unwrap_err().kind, StoreErrorKind::Unavailable);
    assert_eq!(create(&store, "a").await.unwrap_err().kind, StoreErrorKind::Indeterminate);
}

#[tokio::test]
async fn one_seed_tells_one_story() {
    let story = async |seed| {
        let store = Faulty::new(Memory::new(), seed).judged_by(Chance::of(Verdict::Refuse, 0.5));
        let mut told = Vec::new();
        for _ in 0..64 {
            told.push(store.get("a", None).await.is_ok());
        }
        told
    };
    assert_eq!(story(7).await, story(7).await);
    assert_ne!(story(7).await, story(8).await);
}

#[tokio::test]
async fn a_share_of_hints_is_lost_and_no_call_is_touched() {
    let inner = Memory::new();
    let store = Faulty::new(inner.clone(), 1).judged_by(Chance::of_losing_hints(1.0));
    let mut hints = store.watch("");
    create(&store, "a").await.unwrap();
    assert!(futures_util::poll!(hints.next()).is_pending());
    assert!(value_of(&inner, "a").await.is_some());
}
