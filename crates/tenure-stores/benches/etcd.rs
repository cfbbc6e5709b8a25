//! How fast the etcd store answers, tells of changes and leaves a failing endpoint, on a cluster of its own:
//! `cargo bench -p tenure-stores --features etcd --bench etcd`.

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use tenure::clock::Clock;
use tenure::store::{Read, Store, When, Written};
use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::Cluster;

const CALLS: u32 = 500;
const ROUNDS: usize = 6;

#[tokio::main]
async fn main() {
    let mut cluster = Cluster::start().await;
    let clock = Clock::boot();
    let store = open(&cluster).await;
    report("put", times(&clock, async |number| put(&store, &format!("put/{number}")).await).await);
    report("get", times(&clock, async |number| get(&store, &format!("put/{number}")).await).await);
    report("put to hint, through two handles", hints(&clock, &cluster).await);
    report("SIGKILL of a follower to the next write", losses(&clock, &mut cluster, Blow::Kill, 1).await);
    report("SIGSTOP of a follower to the next write", losses(&clock, &mut cluster, Blow::Stop, 1).await);
    report("SIGKILL of the leader to the next write", losses(&clock, &mut cluster, Blow::Kill, 0).await);
    report("SIGSTOP of the leader to the next write", losses(&clock, &mut cluster, Blow::Stop, 0).await);
}

async fn open(cluster: &Cluster) -> EtcdStore {
    EtcdStore::open_url(&cluster.url("bench")).await.expect("a store")
}

fn report(what: &str, mut taken: Vec<Duration>) {
    taken.sort_unstable();
    let at = |share: f64| taken[((taken.len() - 1) as f64 * share).round() as usize];
    println!(
        "{what}: p50 {:.1?}, p99 {:.1?}, max {:.1?} ({} samples)",
        at(0.5),
        at(0.99),
        at(1.0),
        taken.len()
    );
}

async fn times(clock: &Clock, call: impl AsyncFn(u32)) -> Vec<Duration> {
    let mut taken = Vec::new();
    for number in 0..CALLS {
        let began = clock.now();
        call(number).await;
        taken.push(clock.now().since(began));
    }
    taken
}

async fn put(store: &EtcdStore, key: &str) {
    let written = store.put(key, Bytes::from_static(&[b'x'; 512]), When::Absent).await.expect("an answer");
    assert!(matches!(written, Written::Stored(_)), "the key is new");
}

async fn get(store: &EtcdStore, key: &str) {
    let read = store.get(key, None).await.expect("an answer");
    assert!(matches!(read, Read::Found(_)), "the key is there");
}

async fn hints(clock: &Clock, cluster: &Cluster) -> Vec<Duration> {
    let (store, other) = (open(cluster).await, open(cluster).await);
    let mut hints = store.watch("hint/");
    put(&other, "hint/first").await;
    hints.next().await.expect("hints do not end");
    let mut taken = Vec::new();
    for number in 0..CALLS {
        let began = clock.now();
        put(&other, &format!("hint/{number}")).await;
        hints.next().await.expect("hints do not end");
        taken.push(clock.now().since(began));
    }
    taken
}

/// What happens to a member of etcd.
#[derive(Clone, Copy)]
enum Blow {
    Kill,
    Stop,
}

/// Strikes the member that is `step` after the leader, under handles of which some use it: how long each is without a write.
async fn losses(clock: &Clock, cluster: &mut Cluster, blow: Blow, step: usize) -> Vec<Duration> {
    let mut taken = Vec::new();
    for round in 0..ROUNDS {
        let mut stores = Vec::new();
        for _ in 0..6 {
            stores.push(open(cluster).await);
        }
        let victim = (cluster.leader().await + step) % 3;
        match blow {
            Blow::Kill => cluster.kill(victim),
            Blow::Stop => cluster.stop(victim),
        }
        let began = clock.now();
        let writes = stores.iter().enumerate().map(|(number, store)| async move {
            until_written(clock, store, &format!("loss/{round}-{number}-{}", fastrand::u64(..))).await;
            clock.now().since(began)
        });
        taken.extend(futures_util::future::join_all(writes).await);
        match blow {
            Blow::Kill => cluster.restart(victim).await,
            Blow::Stop => cluster.thaw(victim),
        }
    }
    taken
}

async fn until_written(clock: &Clock, store: &EtcdStore, key: &str) {
    // A write that may have landed is tried under the same key: a conflict says that it had.
    while store.put(key, Bytes::from_static(b"x"), When::Absent).await.is_err() {
        clock.sleep(Duration::from_millis(10)).await;
    }
}
