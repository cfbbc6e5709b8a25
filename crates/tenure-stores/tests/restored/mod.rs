//! A cluster whose store is restored from a backup, and recovered: on every real server, with its own kind of backup.
//!
//! The sink is what counts in the end: it takes an effect only if nobody with a higher epoch was there before.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tenure::clock::Clock;
use tenure::cluster::{Recoverer, Step};
use tenure::store::{Entry, Read, Store, When, Written};
use tenure::{Epoch, Member, OnStuck, Route, Shard, ShardId};
use tenure_core::recovery::STEP;

const SHARDS: u32 = 8;

/// A store with its own kind of backup.
pub(crate) trait Restorable {
    type Store: Store;
    /// A handle on it.
    async fn open(&self) -> Self::Store;
    /// Takes a backup of all that it holds now.
    async fn back_up(&mut self);
    /// Puts the backup in place of all that it holds now. Nobody has a handle.
    async fn restore(&mut self);
}

/// What fences are for: it knows the highest epoch of each shard.
#[derive(Clone, Debug, Default)]
struct Sink(Arc<Mutex<BTreeMap<ShardId, Epoch>>>);

impl Sink {
    /// Whether an effect of this epoch is taken.
    fn takes(&self, shard: ShardId, epoch: Epoch) -> bool {
        let mut known = self.0.lock().unwrap();
        let highest = known.entry(shard).or_insert(epoch);
        *highest = epoch.max(*highest);
        *highest == epoch
    }

    fn epochs(&self) -> BTreeMap<ShardId, Epoch> {
        self.0.lock().unwrap().clone()
    }
}

async fn member<R: Restorable>(place: &R, id: &str, ttl: Duration, sink: &Sink) -> Arc<Member> {
    let mut settings = tenure::Settings::default();
    (settings.cluster, settings.shards, settings.member_id) = ("orders".into(), SHARDS, Some(id.into()));
    (settings.lease_ttl, settings.lease_ttl_max, settings.on_stuck) = (ttl, Some(ttl), OnStuck::Wait);
    settings.shard_rebalance_debounce = Some(Duration::from_millis(200));
    let member = Arc::new(Member::builder(place.open().await).settings(settings).start().await.unwrap());
    let (working, sink) = (Arc::clone(&member), sink.clone());
    tokio::spawn(async move { working.run(move |shard| work(shard, sink.clone())).await });
    member
}

async fn work(shard: Shard, sink: Sink) -> Result<(), tenure::BoxError> {
    while !shard.draining() {
        shard.check()?;
        assert!(sink.takes(shard.id(), shard.epoch()), "the sink refused {shard:?}");
        Clock::boot().sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Waits until each of these owns as many as they should, and nothing moves.
async fn settled(members: &[&Arc<Member>]) {
    let share = SHARDS as usize / members.len();
    let even = |routes: &[Route]| {
        let owned =
            |id| routes.iter().filter(|one| one.owner.as_ref() == Some(id) && one.heir.is_none()).count();
        members.iter().all(|member| owned(member.id()) == share)
    };
    let coming = members[0].router().until(even);
    assert!(Clock::boot().timeout(Duration::from_secs(120), coming).await.expect("they never settled"));
}

/// Waits until the sink has heard from everybody.
async fn heard(sink: &Sink, wanted: impl Fn(Epoch) -> bool) {
    for _ in 0..600 {
        let known = sink.epochs();
        if known.len() == SHARDS as usize && known.values().all(|epoch| wanted(*epoch)) {
            return;
        }
        Clock::boot().sleep(Duration::from_millis(50)).await;
    }
    panic!("half a minute went by, and the sink has heard {:?}", sink.epochs());
}

/// A backup, more owners, the backup put back, a recovery: no epoch comes again, and members come back by themselves.
pub(crate) async fn recovers<R: Restorable>(mut place: R, ttl: Duration) {
    let sink = Sink::default();
    let (a, b) = (member(&place, "a", ttl, &sink).await, member(&place, "b", ttl, &sink).await);
    settled(&[&a, &b]).await;
    place.back_up().await;
    b.leave().await.unwrap();
    settled(&[&a]).await;
    let c = member(&place, "c", ttl, &sink).await;
    settled(&[&a, &c]).await;
    heard(&sink, |epoch| epoch >= Epoch(1)).await;
    a.leave().await.unwrap();
    c.leave().await.unwrap();
    drop((a, b, c));
    let before = sink.epochs();
    place.restore().await;

    let cluster = "orders".parse().unwrap();
    let recoverer = Recoverer::new(place.open().await, &cluster, "operator".parse().unwrap());
    let forecast = recoverer.forecast().await.unwrap().unwrap();
    let known = before.values().map(|epoch| epoch.0).max().unwrap();
    assert!(forecast.top < known, "the store forgot: it would give {known} a second time");
    let mut steps = Vec::new();
    recoverer.recover(&forecast, |step| steps.push(step)).await.unwrap();
    assert!(matches!(steps[..], [Step::Begun, Step::Raised, Step::Waits(2, _), Step::Done]), "{steps:?}");

    let (a, b) = (member(&place, "a", ttl, &sink).await, member(&place, "b", ttl, &sink).await);
    settled(&[&a, &b]).await;
    heard(&sink, |epoch| epoch.0 > STEP).await;
    for (shard, epoch) in before {
        assert!(!sink.takes(shard, epoch), "whoever wakes up with {epoch} of shard {shard} is refused");
    }
    a.leave().await.unwrap();
    b.leave().await.unwrap();
}

/// All records, as anybody can read them: the backup of stores that have none of their own.
#[allow(dead_code, reason = "some stores have backups of their own")]
pub(crate) async fn copied_out(store: &impl Store) -> Vec<Entry> {
    store.list("").await.unwrap()
}

/// Puts records back where there are none, or others.
#[allow(dead_code, reason = "some stores have backups of their own")]
pub(crate) async fn copied_in(store: &impl Store, entries: &[Entry]) {
    for entry in entries {
        let when = match store.get(&entry.key, None).await.unwrap() {
            Read::Found(there) => When::Is(there.version),
            Read::Absent | Read::Unchanged => When::Absent,
        };
        let written = store.put(&entry.key, entry.record.value.clone(), when).await.unwrap();
        assert!(matches!(written, Written::Stored(_)), "{}", entry.key);
    }
}
