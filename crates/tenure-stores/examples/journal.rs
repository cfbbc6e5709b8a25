//! A counter for each shard that no owner of the past can change. `cargo run -p tenure-stores --example journal`.

use std::path::Path;
use std::sync::Arc;

use tenure::journal::{Record, WriterLimits};
use tenure::{BoxError, Member, Shard};
use tenure_stores::sqlite::{SqliteJournal, SqliteStore};

const SHARDS: u32 = 4;

/// Counts to three more than the owner before. The count is what the records add up to: nothing else is kept.
async fn count(shard: Shard, journal: SqliteJournal) -> Result<(), BoxError> {
    let (writer, kept) = shard.journal(&journal, &"counter".parse()?, WriterLimits::default()).await?;
    let mut counter: u64 =
        kept.records().map(|record| serde_json::from_slice::<u64>(&record.body)).sum::<Result<_, _>>()?;
    println!("{} begins at {counter}", shard.fence());
    for _ in 0..3 {
        // Stored once this returns: on the disk, in order, and refused if another owner has opened the journal.
        writer.commit(vec![Record::json(&1)]).await?;
        counter += 1;
    }
    println!("{} counted to {counter}", shard.fence());
    Ok(())
}

async fn run(folder: &Path, name: &str) -> Result<(), BoxError> {
    let store = SqliteStore::open(folder.join("tenure.db")).await?;
    let journal = SqliteJournal::open(folder.join("journal.db")).await?;
    let member =
        Arc::new(Member::builder(store).cluster("counters").member_id(name).shards(SHARDS).start().await?);
    let (done, mut counted) = tokio::sync::mpsc::channel(SHARDS as usize);
    let runner = Arc::clone(&member);
    tokio::spawn(async move {
        let handler = move |shard| {
            let (journal, done) = (journal.clone(), done.clone());
            async move {
                count(shard, journal).await?;
                Ok(done.send(()).await?)
            }
        };
        runner.run(handler).await
    });
    for _ in 0..SHARDS {
        counted.recv().await;
    }
    Ok(member.leave().await?)
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let folder = tempfile::tempdir()?;
    run(folder.path(), "ada").await?;
    run(folder.path(), "ben").await
}
