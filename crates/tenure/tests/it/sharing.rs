//! Members share shards: joining, leaving, routing.

use tenure::member::{LifeState, MemberStatus};
use tenure::store::Memory;

use crate::fleet::{Acts, SHARDS, all_owned, keep, owned_by, start, working};

#[tokio::test(flavor = "multi_thread")]
async fn a_single_member_owns_everything() {
    let (store, acts) = (Memory::new(), Acts::default());
    let alone = working(&store, "a", &acts).await;
    assert!(alone.router().until(all_owned).await);
    let snapshot = alone.snapshot().await.unwrap();
    assert_eq!(snapshot.me.state, LifeState::Active);
    assert_eq!(snapshot.work.len(), SHARDS as usize);
    assert!(!alone.metrics().detached);
    alone.leave().await.unwrap();
    acts.assert_exclusive();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_joining_member_gets_its_share() {
    let (store, acts) = (Memory::new(), Acts::default());
    let first = working(&store, "a", &acts).await;
    assert!(first.router().until(all_owned).await);
    let second = working(&store, "b", &acts).await;
    let half =
        |routes: &[tenure::Route]| owned_by(routes, first.id()) == 4 && owned_by(routes, second.id()) == 4;
    assert!(first.router().until(half).await);
    assert!(second.router().until(half).await);
    acts.assert_exclusive();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaving_member_hands_everything_on() {
    let (store, acts) = (Memory::new(), Acts::default());
    let leaver = working(&store, "a", &acts).await;
    let stayer = working(&store, "b", &acts).await;
    assert!(stayer.router().until(|routes| owned_by(routes, stayer.id()) == 4).await);
    leaver.leave().await.unwrap();
    assert!(stayer.router().until(|routes| owned_by(routes, stayer.id()) == 8).await);
    assert_eq!(leaver.snapshot().await.unwrap().me.state, LifeState::Ended);
    acts.assert_exclusive();
}

#[tokio::test(flavor = "multi_thread")]
async fn run_returns_once_the_member_has_left() {
    let member = start(Memory::new(), "a").await;
    let runner = {
        let member = std::sync::Arc::clone(&member);
        tokio::spawn(async move { member.run(keep).await })
    };
    assert!(member.router().until(all_owned).await);
    member.leave().await.unwrap();
    runner.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_routes_a_key_to_the_member_that_acts_for_it() {
    let (store, acts) = (Memory::new(), Acts::default());
    let a = working(&store, "a", &acts).await;
    let b = working(&store, "b", &acts).await;
    let settled = |routes: &[tenure::Route]| owned_by(routes, a.id()) == 4 && owned_by(routes, b.id()) == 4;
    assert!(a.router().until(settled).await);
    assert!(b.router().until(settled).await);
    for key in ["order-1", "order-2", "order-3", "order-4"] {
        assert_eq!(a.shard_of(key), b.shard_of(key));
        let owner = a.owner_of(key).unwrap();
        assert_eq!(b.owner_of(key), Some(owner.clone()));
        let works = if owner == *a.id() { &a } else { &b };
        let snapshot = works.snapshot().await.unwrap();
        assert!(snapshot.work.iter().any(|work| work.shard == a.shard_of(key)), "{snapshot:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_that_is_dropped_is_replaced_without_waiting_for_its_lease() {
    let (store, acts) = (Memory::new(), Acts::default());
    let dropped = start(store.clone(), "a").await;
    let events = dropped.events().await.unwrap();
    assert!(dropped.router().until(all_owned).await);
    let stayer = working(&store, "b", &acts).await;
    drop(events);
    drop(dropped);
    assert!(stayer.router().until(|routes| owned_by(routes, stayer.id()) == 8).await);
    let snapshot = stayer.snapshot().await.unwrap();
    let record = snapshot.members.iter().find(|member| member.id.as_str() == "a").unwrap();
    assert_eq!(record.state, MemberStatus::Gone, "it was closed by its own word, not by silence");
}
