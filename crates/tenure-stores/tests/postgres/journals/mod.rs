//! Journals in a PostgreSQL database, on real servers that sync.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod faults;
mod refusals;
mod together;

use tenure::journal::{Author, Journal, Kept, Place, Record, Run, Seq, Writer, WriterLimits};
use tenure::testing::journal::JournalSubject;
use tenure::testing::journal_suite;
use tenure::{Epoch, Lineage, ShardId};
use tenure_stores::postgres::PostgresJournal;
use tenure_testbed::postgres::{Options, Server};
use tokio::sync::OnceCell;

use crate::address::schema;

/// A server that syncs, which the tests of this program share: the one that all programs share does not.
async fn server() -> &'static Server {
    static SERVER: OnceCell<Server> = OnceCell::const_new();
    SERVER.get_or_init(durable).await
}

async fn durable() -> Server {
    Server::start_with(Options { fsync: true, ..Options::default() }).await
}

/// The address of empty journals.
async fn of_its_own() -> String {
    format!("{}?schema={}", server().await.url(), schema())
}

async fn connect(address: &str) -> PostgresJournal {
    PostgresJournal::connect(address).await.unwrap_or_else(|error| panic!("{error} {:?}", error.source))
}

async fn on_a_server() -> JournalSubject {
    let address = of_its_own().await;
    JournalSubject::new(connect(&address).await).with_second_handle(connect(&address).await)
}

journal_suite!(on_a_server);

fn place(shard: u32) -> Place {
    Place { journal: "counter".parse().unwrap(), shard: ShardId(shard) }
}

fn author(epoch: u64) -> Author {
    Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) }
}

async fn writer(journal: &PostgresJournal, shard: u32, epoch: u64) -> (Writer, Kept) {
    Writer::open(journal, &place(shard), author(epoch), WriterLimits::default()).await.unwrap()
}

/// The numbers that are stored, in their order.
async fn stored(journal: &PostgresJournal, shard: u32) -> Vec<u64> {
    let entries = journal.read(&place(shard), Seq::FIRST, 1_000_000).await.unwrap();
    let records = entries.iter().flat_map(|entry| &entry.records);
    records.map(|record| serde_json::from_slice(&record.body).unwrap()).collect()
}

fn number(number: u64) -> Vec<Record> {
    vec![Record::json(&number)]
}
