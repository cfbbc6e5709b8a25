//! Journals of real members: an heir that is warm, and what is counted.

use std::sync::Arc;

use tenure::journal::layer::Operation;
use tenure::journal::{Entry, Journal, JournalError, Memory as Journals, Place, Record, Since, WriterLimits};
use tenure::{Fence, Shard, ShardId, store};
use tokio::sync::{Notify, mpsc};

use crate::fleet::{settings, start_with};

fn place(shard: ShardId) -> Place {
    Place { journal: "counter".parse().unwrap(), shard }
}

fn numbers(entries: &[Entry]) -> Vec<u64> {
    let records = entries.iter().flat_map(|entry| &entry.records);
    records.map(|record| serde_json::from_slice(&record.body).unwrap()).collect()
}

/// The former owner commits once more after its heir has read ahead; the heir is told of that, and of nothing else.
#[tokio::test]
async fn a_warm_heir_is_told_what_came_since_it_read_ahead() {
    let (store, journal) = (store::Memory::new(), Journals::new());
    let mut one_shard = settings("a");
    one_shard.shards = 1;
    let (read_ahead, counted) = (Arc::new(Notify::new()), Arc::new(Notify::new()));

    let former = start_with(store.clone(), one_shard.clone()).await;
    let (runner, books, heir_read, first) =
        (Arc::clone(&former), journal.clone(), Arc::clone(&read_ahead), Arc::clone(&counted));
    let work = move |shard: Shard| {
        let (books, heir_read, first) = (books.clone(), Arc::clone(&heir_read), Arc::clone(&first));
        async move {
            let (writer, _) = shard.journal(&books, &"counter".parse()?, WriterLimits::default()).await?;
            writer.commit(vec![Record::json(&1), Record::json(&2)]).await?;
            first.notify_one();
            shard.drained().await;
            heir_read.notified().await;
            writer.commit(vec![Record::json(&3)]).await?;
            Ok(())
        }
    };
    tokio::spawn(async move { runner.run(work).await });
    counted.notified().await;

    one_shard.member_id = Some("b".into());
    let heir = start_with(store, one_shard).await;
    let (runner, books, told_read) = (Arc::clone(&heir), journal.clone(), Arc::clone(&read_ahead));
    let warm = move |coming: Fence| {
        let (books, told_read) = (books.clone(), Arc::clone(&told_read));
        async move {
            let ahead = books.ahead(&place(coming.shard)).await?;
            told_read.notify_one();
            Ok(ahead)
        }
    };
    let (told, mut begun) = mpsc::unbounded_channel();
    let books = journal.clone();
    let work = move |shard: Shard, ahead: tenure::journal::Ahead| {
        let (books, told) = (books.clone(), told.clone());
        async move {
            let warm = numbers(&ahead.kept.entries);
            let (writer, since) = shard.journal_after(&books, ahead, WriterLimits::default()).await?;
            let elsewhere = books.ahead(&place(ShardId(7))).await?;
            let misplaced = shard.journal_after(&books, elsewhere, WriterLimits::default()).await;
            writer.commit(vec![Record::json(&4)]).await?;
            told.send((warm, since, misplaced.map(drop)))?;
            shard.drained().await;
            Ok(())
        }
    };
    tokio::spawn(async move { runner.run_warmed(warm, work).await });
    former.leave().await.unwrap();
    let (warm, since, misplaced) = begun.recv().await.unwrap();
    let Since::More(entries) = since else { panic!("{since:?}") };
    assert_eq!((warm, numbers(&entries)), (vec![1, 2], vec![3]));
    assert!(matches!(misplaced, Err(JournalError::Misplaced { shard: ShardId(0), .. })), "{misplaced:?}");

    // Both members count what they did for their shards.
    let told = former.metrics().journals;
    assert_eq!((told.entries, told.records, told.fenced), (2, 3, 0));
    let told = heir.metrics().journals;
    assert_eq!((told.open, told.entries, told.of(Operation::Open).calls()), (1, 1, 1));
    heir.leave().await.unwrap();
    assert_eq!(journal.read(&place(ShardId(0)), tenure::journal::Seq(1), 10).await.unwrap().len(), 5);
}
