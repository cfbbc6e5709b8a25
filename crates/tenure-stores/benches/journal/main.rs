//! How fast journals are: `cargo bench -p tenure-stores --features all --bench journal -- --url ADDRESS`.
//!
//! Without an address: a SQLite file and a folder on the disk of the temporary folder, and a PostgreSQL server of its own, all of which
//! sync. Every figure stands beside the store's own bare write in the same run: the disk decides both.

mod bare;
mod times;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use tenure::clock::Clock;
use tenure::journal::{Author, Journal, Place, Record, Run, Seq, Writer, WriterLimits};
use tenure::{Epoch, Lineage, ShardId};
use tenure_testbed::postgres::{Options, Server};

use bare::Bare;
use times::Times;

/// How long each part is measured.
const SPAN: Duration = Duration::from_secs(5);
const WRITERS: u32 = 64;
const RECORD_BYTES: usize = 200;
const TAIL: u64 = 512;
const SNAPSHOT_BYTES: usize = 50 << 20;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let given = arguments.iter().skip_while(|argument| *argument != "--url").nth(1);
    if let Some(address) = given {
        return measure(address, None).await;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display();
    measure(&format!("sqlite:{path}/journal.db"), None).await;
    measure(&format!("file:{path}/journals"), None).await;
    let server = Server::start_with(Options { fsync: true, ..Options::default() }).await;
    measure(&server.url(), Some(&server)).await;
}

async fn measure(address: &str, server: Option<&Server>) {
    println!("{}", tenure_stores::shown(address));
    let journal = tenure_stores::open_journal(address).await.expect("a journal");
    let bare = Bare::at(address).await;
    let bench = Bench { journal, run: fastrand::u64(..) };
    println!(
        "  a bare write, one after the other: {}",
        repeat(async |number| bare.write(number).await).await
    );
    println!("  a commit of one record, one after the other: {}", bench.alone().await);
    bench.crowd(1, server).await;
    bench.crowd(WRITERS, server).await;
    bench.recovery().await;
}

/// Times of one call after the other.
async fn repeat(call: impl AsyncFn(u64)) -> Times {
    let (clock, mut taken) = (Clock::boot(), Vec::new());
    let end = clock.now() + SPAN;
    for number in 0.. {
        let began = clock.now();
        if began >= end {
            break;
        }
        call(number).await;
        taken.push(clock.now().since(began));
    }
    Times::of(taken)
}

struct Bench {
    journal: Arc<dyn Journal>,
    /// Tells runs on one server apart.
    run: u64,
}

impl Bench {
    async fn open(&self, name: &str, shard: u32, epoch: u64) -> Writer {
        let journal = format!("{name}-{:x}", self.run).parse().expect("a name");
        let place = Place { journal, shard: ShardId(shard) };
        let author = Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) };
        let opened = Writer::open(&*self.journal, &place, author, WriterLimits::default()).await;
        opened.expect("it opens").0
    }

    async fn alone(&self) -> Times {
        let writer = self.open("alone", 0, 1).await;
        let commit = async |_| {
            writer.commit(record()).await.expect("it is stored");
        };
        repeat(commit).await
    }

    /// As many as can be stored by writers that each wait for their last commit, spread over `shards`.
    async fn crowd(&self, shards: u32, server: Option<&Server>) {
        let mut writers = Vec::new();
        for shard in 0..shards {
            writers.push(self.open(&format!("crowd{shards}"), shard, 1).await);
        }
        let (clock, synced) = (Clock::boot(), syncs(server).await);
        let began = clock.now();
        let work = (0..WRITERS).map(|number| {
            let shard = number % shards;
            let writer = writers[shard as usize].clone();
            tokio::spawn(async move { (shard, commits(&writer).await) })
        });
        let done: Vec<_> = join_all(work).await.into_iter().map(|done| done.expect("it went well")).collect();
        let span = clock.now().since(began).as_secs_f64();
        let synced = syncs(server).await.zip(synced).map(|(now, then)| now - then);
        let entries: BTreeSet<(u32, Seq)> =
            done.iter().flat_map(|(shard, (seqs, _))| seqs.iter().map(|seq| (*shard, *seq))).collect();
        let times = Times::of(done.into_iter().flat_map(|(_, (_, taken))| taken).collect());
        let per = |count: usize| times.count() as f64 / count.max(1) as f64;
        println!(
            "  {WRITERS} writers on {shards} shards: {:.0} commits/s; {times}",
            times.count() as f64 / span
        );
        println!("    {:.1} commits to an entry", per(entries.len()));
        if let Some(synced) = synced {
            println!("    {:.1} commits to a sync of the server's log", per(synced));
        }
    }

    /// How long the next owner takes to have it all.
    async fn recovery(&self) {
        let (clock, writer) = (Clock::boot(), self.open("recovery", 0, 1).await);
        let seq = writer.commit(record()).await.expect("it is stored");
        let began = clock.now();
        let state = Bytes::from((0..SNAPSHOT_BYTES).map(|n| (n * 31) as u8).collect::<Vec<u8>>());
        writer.shorten(seq, state).await.expect("it is shortened");
        println!("  to store a snapshot of {} MB: {:.0?}", SNAPSHOT_BYTES >> 20, clock.now().since(began));
        for _ in 0..TAIL {
            writer.commit(record()).await.expect("it is stored");
        }
        let mut taken = Vec::new();
        for epoch in 2..7 {
            let began = clock.now();
            drop(self.open("recovery", 0, epoch).await);
            taken.push(clock.now().since(began));
        }
        println!("  to open it with {TAIL} entries since: {}", Times::of(taken));
    }
}

async fn commits(writer: &Writer) -> (Vec<Seq>, Vec<Duration>) {
    let (clock, mut seqs, mut taken) = (Clock::boot(), Vec::new(), Vec::new());
    let end = clock.now() + SPAN;
    loop {
        let began = clock.now();
        if began >= end {
            return (seqs, taken);
        }
        seqs.push(writer.commit(record()).await.expect("it is stored"));
        taken.push(clock.now().since(began));
    }
}

fn record() -> Vec<Record> {
    vec![Record { key: Some("cart-9".into()), version: 1, body: Bytes::from_static(&[b'7'; RECORD_BYTES]) }]
}

/// How often the server has synced its log so far.
async fn syncs(server: Option<&Server>) -> Option<usize> {
    let counted = server?.psql("SELECT wal_sync FROM pg_stat_wal").await;
    counted.trim().parse().ok()
}
