//! A counter for each shard that no owner of the past can change. `cargo run -p tenure-stores --example journal`.

use std::path::Path;
use std::sync::Arc;

use tenure::journal::{Ahead, Entry, Journal, Kept, Place, Record, Since, Writer, WriterLimits};
use tenure::{BoxError, Fence, Member, Shard};
use tenure_stores::sqlite::{SqliteJournal, SqliteStore};
use tokio::sync::mpsc;

const SHARDS: u32 = 4;

/// The count is what the records add up to: nothing else is kept.
fn sum(entries: &[Entry]) -> Result<u64, BoxError> {
    let records = entries.iter().flat_map(|entry| &entry.records);
    Ok(records.map(|record| serde_json::from_slice::<u64>(&record.body)).sum::<Result<_, _>>()?)
}

/// Counts to three more than the owner before.
async fn count(shard: Shard, journal: SqliteJournal) -> Result<(), BoxError> {
    let (writer, kept) = shard.journal(&journal, &"counter".parse()?, WriterLimits::default()).await?;
    go_on(&shard, writer, sum(&kept.entries)?).await
}

async fn go_on(shard: &Shard, writer: Writer, mut counter: u64) -> Result<(), BoxError> {
    println!("{} begins at {counter}", shard.fence());
    for _ in 0..3 {
        // Stored once this returns: on the disk, in order, and refused if another owner has opened the journal.
        writer.commit(vec![Record::json(&1)]).await?;
        counter += 1;
    }
    println!("{} counted to {counter}", shard.fence());
    Ok(())
}

/// Called while the former owner still works: reads its journal ahead, and adds up what is there so far.
async fn warm_up(coming: Fence, journal: SqliteJournal) -> Result<(Ahead, u64), BoxError> {
    let place = Place { journal: "counter".parse()?, shard: coming.shard };
    let ahead = journal.ahead(&place).await?;
    let counter = sum(&ahead.kept.entries)?;
    Ok((ahead, counter))
}

/// Called once the shard is ours: reads only what has come since.
async fn count_warm(shard: Shard, journal: SqliteJournal, warm: (Ahead, u64)) -> Result<(), BoxError> {
    let (ahead, counter) = warm;
    let (writer, since) = shard.journal_after(&journal, ahead, WriterLimits::default()).await?;
    let counter = match since {
        Since::More(entries) => counter + sum(&entries)?,
        // Shortened meanwhile; a counter with snapshots would begin with the snapshot's.
        Since::Anew(Kept { entries, .. }) => sum(&entries)?,
    };
    println!("{} is warm", shard.fence());
    go_on(&shard, writer, counter).await
}

async fn join(folder: &Path, name: &str) -> Result<(Arc<Member>, SqliteJournal), BoxError> {
    let store = SqliteStore::open(folder.join("tenure.db")).await?;
    let journal = SqliteJournal::open(folder.join("journal.db")).await?;
    let member = Member::builder(store).cluster("counters").member_id(name).shards(SHARDS).start().await?;
    Ok((Arc::new(member), journal))
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let folder = tempfile::tempdir()?;
    let (counted, mut counts) = mpsc::channel(SHARDS as usize);

    let (ada, journal) = join(folder.path(), "ada").await?;
    let (runner, done) = (Arc::clone(&ada), counted.clone());
    let handler = move |shard| {
        let (journal, done) = (journal.clone(), done.clone());
        async move {
            count(shard, journal).await?;
            Ok(done.send(()).await?)
        }
    };
    tokio::spawn(async move { runner.run(handler).await });
    for _ in 0..SHARDS {
        counts.recv().await;
    }

    let (ben, journal) = join(folder.path(), "ben").await?;
    let (runner, reader) = (Arc::clone(&ben), journal.clone());
    let warm = move |coming| warm_up(coming, reader.clone());
    let handler = move |shard, warm| {
        let (journal, done) = (journal.clone(), counted.clone());
        async move {
            count_warm(shard, journal, warm).await?;
            Ok(done.send(()).await?)
        }
    };
    tokio::spawn(async move { runner.run_warmed(warm, handler).await });
    ada.leave().await?;
    for _ in 0..SHARDS {
        counts.recv().await;
    }
    Ok(ben.leave().await?)
}
