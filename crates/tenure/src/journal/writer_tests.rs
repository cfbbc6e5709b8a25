//! The writer over a journal in memory.

use bytes::Bytes;
use tenure_core::ids::{Epoch, Lineage, ShardId};

use super::*;
use crate::journal_suite;
use crate::testing::journal::JournalSubject;

async fn in_memory() -> JournalSubject {
    JournalSubject::new(Memory::new())
}

journal_suite!(in_memory);

fn place() -> Place {
    Place { journal: "counter".parse().unwrap(), shard: ShardId(3) }
}

fn author(epoch: u64, run: u128) -> Author {
    Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(run) }
}

async fn opened(journal: &Memory, epoch: u64, run: u128) -> (Writer, Kept) {
    Writer::open(journal, &place(), author(epoch, run), WriterLimits::default()).await.unwrap()
}

#[tokio::test]
async fn a_new_start_of_work_in_the_same_epoch_ends_the_last_one() {
    let journal = Memory::new();
    let (first, _) = opened(&journal, 7, 1).await;
    first.commit(vec![Record::json(&1)]).await.unwrap();
    let (second, kept) = opened(&journal, 7, 2).await;
    assert_eq!(kept.records().count(), 1);
    assert_eq!(first.commit(vec![Record::json(&2)]).await.unwrap_err().fenced_by(), Some(Epoch(7)));
    second.commit(vec![Record::json(&3)]).await.unwrap();
    assert!(matches!(first.commit(vec![Record::json(&4)]).await, Err(JournalError::Closed)));
}

#[tokio::test]
async fn work_whose_guard_does_not_hold_stores_nothing() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let (journal, holds) = (Memory::new(), Arc::new(AtomicBool::new(true)));
    let asked = Arc::clone(&holds);
    let guard = Arc::new(move || asked.load(Ordering::Relaxed));
    let limits = WriterLimits::default();
    let first = journal.open(&place(), author(7, 1)).await.unwrap();
    let (writer, _) = Writer::over(first, author(7, 1), limits, guard);
    writer.commit(vec![Record::json(&1)]).await.unwrap();
    holds.store(false, Ordering::Relaxed);
    assert!(matches!(writer.commit(vec![Record::json(&2)]).await, Err(JournalError::Lapsed)));
    let (_, kept) = opened(&journal, 8, 2).await;
    assert_eq!(kept.records().count(), 1);
}

#[tokio::test]
async fn what_waits_is_stored_though_its_writer_was_dropped() {
    let journal = Memory::new();
    let (writer, _) = opened(&journal, 7, 1).await;
    let commit = tokio::spawn(async move { writer.commit(vec![Record::json(&1)]).await });
    commit.await.unwrap().unwrap();
    assert_eq!(journal.read(&place(), Seq(2), 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_entry_that_is_too_long_is_refused_and_the_writer_goes_on() {
    let journal = Memory::new();
    let (writer, _) = opened(&journal, 7, 1).await;
    let long = Record { key: None, version: 1, body: vec![b'x'; 100 << 20].into() };
    let error = writer.commit(vec![long]).await.unwrap_err();
    assert!(matches!(error, JournalError::Unfit(Unfit::Entry { .. })), "{error}");
    // One that is short, but is long when it is written down.
    let many = vec![Record { key: None, version: 1, body: Bytes::from_static(b"x") }; 200_000];
    let error = writer.commit(many).await.unwrap_err();
    assert!(matches!(error, JournalError::Unfit(Unfit::Entry { .. })), "{error}");
    writer.commit(vec![Record::json(&1)]).await.unwrap();
}
