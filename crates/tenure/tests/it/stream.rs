//! Ownership as a stream of events.

use std::collections::BTreeMap;

use tenure::store::Memory;
use tenure::{Event, Events, Fence, Shard, ShardId};

use crate::fleet::{SHARDS, start};

/// Takes events until all shards were gained.
async fn gain_all(events: &mut Events) -> BTreeMap<ShardId, Shard> {
    let mut shards = BTreeMap::new();
    while shards.len() < SHARDS as usize {
        match events.next().await.expect("the member goes on") {
            Event::Gained(shard) => drop(shards.insert(shard.id(), shard)),
            Event::Joined => assert!(shards.is_empty()),
            other => panic!("{other:?}"),
        }
    }
    shards
}

#[tokio::test]
async fn gained_shards_hold_and_carry_their_fence() {
    let member = start(Memory::new(), "a").await;
    let mut events = member.events().await.unwrap();
    assert!(matches!(events.next().await, Some(Event::Joined)));
    for shard in gain_all(&mut events).await.values() {
        shard.check().unwrap();
        assert!(shard.holds() && !shard.draining() && !shard.time_left().is_zero());
        assert_eq!(shard.fence(), Fence { shard: shard.id(), epoch: shard.epoch() });
    }
}

#[tokio::test]
async fn shards_that_come_before_anybody_listens_wait_for_it() {
    let member = start(Memory::new(), "a").await;
    assert!(member.router().until(crate::fleet::all_owned).await);
    let mut events = member.events().await.unwrap();
    assert_eq!(gain_all(&mut events).await.len(), SHARDS as usize);
}

#[tokio::test]
async fn leaving_drains_every_shard_and_ends_the_stream() {
    let member = start(Memory::new(), "a").await;
    let mut events = member.events().await.unwrap();
    let mut shards = gain_all(&mut events).await;
    let leaving = tokio::spawn(async move { member.leave().await });
    while let Some(event) = events.next().await {
        match event {
            Event::Draining { fence, .. } => {
                let shard = shards.remove(&fence.shard).unwrap();
                assert!(shard.draining() && shard.holds(), "a draining owner still owns");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(shards.is_empty());
    leaving.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_shard_that_is_given_back_while_draining_closes_its_guard() {
    let member = start(Memory::new(), "a").await;
    let mut events = member.events().await.unwrap();
    let mut shards = gain_all(&mut events).await;
    let kept = shards.remove(&ShardId(0)).unwrap();
    drop(shards);
    let leaving = tokio::spawn(async move { member.leave_at_once().await });
    kept.ended().await;
    assert_eq!(kept.check().unwrap_err().kind(), tenure::ErrorKind::Lapsed);
    assert!(kept.time_left().is_zero() && kept.cancellation().is_cancelled());
    assert!(!leaving.is_finished(), "its work has not ended");
    drop(kept);
    leaving.await.unwrap().unwrap();
}
