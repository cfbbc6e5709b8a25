//! A member that can't renew stops before anyone else owns its shards, and comes back by itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tenure::member::LeaseView;
use tenure::store::Memory;
use tenure::store::layer::Faulty;
use tenure::store::layer::faulty::Outage;
use tenure::{Epoch, Event, Events, Shard, ShardId};
use tokio::sync::mpsc;

use crate::fleet::{SHARDS, keep, start};

type Held = Arc<Mutex<BTreeMap<ShardId, Shard>>>;

/// Keeps every shard that is gained, until something else happens.
async fn next_but_gained(events: &mut Events, held: &Held) -> Event {
    loop {
        match events.next().await.unwrap() {
            Event::Gained(shard) => drop(held.lock().unwrap().insert(shard.id(), shard)),
            other => return other,
        }
    }
}

async fn gain_all(events: &mut Events, held: &Held) {
    while held.lock().unwrap().len() < SHARDS as usize {
        match events.next().await.unwrap() {
            Event::Gained(shard) => drop(held.lock().unwrap().insert(shard.id(), shard)),
            Event::Joined => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guards_are_closed_before_anyone_else_owns_and_the_member_comes_back() {
    let (store, outage) = (Memory::new(), Outage::new());
    let cut_off = start(Faulty::new(store.clone(), 1).judged_by(outage.clone()), "a").await;
    let mut events = cut_off.events().await.unwrap();
    let held = Held::default();
    gain_all(&mut events, &held).await;

    // Reads go on working, writes fail: nothing but its own clock tells the member.
    outage.begin_for_writes();
    let other = start(store, "b").await;
    let (gains, mut gained) = mpsc::unbounded_channel();
    let (runner, theirs) = (Arc::clone(&other), Arc::clone(&held));
    tokio::spawn(async move {
        let handler = move |shard: Shard| {
            let still = theirs.lock().unwrap().get(&shard.id()).is_some_and(Shard::holds);
            gains.send((shard.id(), shard.epoch(), still)).unwrap();
            keep(shard)
        };
        runner.run(handler).await
    });
    let mut epochs: BTreeMap<ShardId, Epoch> = BTreeMap::new();
    while epochs.len() < SHARDS as usize {
        let (shard, epoch, still) = gained.recv().await.unwrap();
        assert!(!still, "shard {shard} has two owners");
        epochs.insert(shard, epoch);
    }
    assert!(held.lock().unwrap().values().all(|shard| !shard.holds()));
    assert!(cut_off.metrics().lease_keepalive_failures > 0 && cut_off.metrics().detached);
    assert_eq!(cut_off.metrics().lapses, 1);

    // It may join again once its work has ended and the store is healthy.
    held.lock().unwrap().clear();
    outage.end();
    while !matches!(next_but_gained(&mut events, &held).await, Event::Joined) {}
    let regained = loop {
        if let Event::Gained(shard) = events.next().await.unwrap() {
            break shard;
        }
    };
    assert!(regained.epoch() > epochs[&regained.id()]);
    assert!(!cut_off.metrics().detached);
}

#[tokio::test]
async fn a_lease_can_be_followed_to_its_end() {
    let member = start(Memory::new(), "a").await;
    let mut lease = member.lease();
    let mut view = lease.now();
    while view.incarnation.is_none() {
        view = lease.changed().await.unwrap();
    }
    let renewed = lease.changed().await.unwrap();
    assert!(renewed.valid_until > view.valid_until && renewed.incarnation == view.incarnation);
    member.leave().await.unwrap();
    assert_eq!(lease.now(), LeaseView::default());
}
