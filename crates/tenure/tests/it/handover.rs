//! A planned move: the old owner ends, and only then the new one begins.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tenure::store::Memory;
use tenure::{Event, Shard};
use tokio::sync::mpsc;

use crate::fleet::{all_owned, keep, start};

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_is_released_only_after_its_work_has_ended() {
    let store = Memory::new();
    let old = start(store.clone(), "a").await;
    let mut events = old.events().await.unwrap();
    assert!(old.router().until(all_owned).await);
    let new = start(store, "b").await;
    let (gains, mut gained) = mpsc::unbounded_channel();
    let may_gain = Arc::new(AtomicBool::new(false));
    let (runner, allowed) = (Arc::clone(&new), Arc::clone(&may_gain));
    tokio::spawn(async move {
        let handler = move |shard: Shard| {
            gains.send((shard.fence(), allowed.load(Ordering::SeqCst))).unwrap();
            keep(shard)
        };
        runner.run(handler).await
    });
    let mut held = Vec::new();
    let drained = loop {
        match events.next().await.unwrap() {
            Event::Gained(shard) => held.push(shard),
            Event::Draining { fence, .. } => break fence,
            Event::Joined => {}
            other => panic!("{other:?}"),
        }
    };
    let heir_known =
        |routes: &[tenure::Route]| routes[drained.shard.0 as usize].heir.as_ref() == Some(new.id());
    assert!(new.router().until(heir_known).await, "the heir knows of its shard and waits");
    may_gain.store(true, Ordering::SeqCst);
    held.retain(|shard| shard.fence() != drained);
    let (fence, allowed) = gained.recv().await.unwrap();
    assert_eq!(fence.shard, drained.shard);
    assert!(drained.is_older_than(&fence));
    assert!(allowed, "the heir began before the owner had ended");
}
