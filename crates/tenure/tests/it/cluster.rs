//! A cluster, seen and steered by somebody who is no member of it.

use tenure::cluster::{MemberStatus, News, Refusal, SteerError, Survey};
use tenure::store::Memory;
use tenure::{Cluster, ShardId};

use crate::fleet::{Acts, SHARDS, working};

async fn onlooker(store: &Memory) -> Cluster {
    Cluster::find(store.clone(), &"orders".parse().unwrap()).await.unwrap().expect("a cluster")
}

/// Looks until `wanted` is seen.
async fn until(cluster: &mut Cluster, wanted: impl Fn(&Survey) -> bool) -> (Survey, Vec<News>) {
    let mut sight = cluster.look().await.unwrap();
    let mut all = std::mem::take(&mut sight.news);
    while !wanted(&sight.survey) {
        sight = cluster.look_again().await.unwrap();
        all.append(&mut sight.news);
    }
    (sight.survey, all)
}

fn held(survey: &Survey, id: &str) -> usize {
    survey.members.iter().find(|view| view.id.as_str() == id).map_or(0, |view| view.holds.len())
}

fn even(survey: &Survey) -> bool {
    let half = SHARDS as usize / 2;
    held(survey, "a") == half
        && held(survey, "b") == half
        && survey.holdings.iter().all(|view| view.heir.is_none())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_without_the_cluster_says_so() {
    let store = Memory::new();
    assert!(Cluster::find(store, &"orders".parse().unwrap()).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_onlooker_sees_what_the_members_see_and_is_not_one_of_them() {
    let (store, acts) = (Memory::new(), Acts::default());
    let (a, _b) = (working(&store, "a", &acts).await, working(&store, "b", &acts).await);
    let mut cluster = onlooker(&store).await;
    let (survey, _) = until(&mut cluster, even).await;
    let names: Vec<&str> = survey.members.iter().map(|view| view.id.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(
        survey
            .members
            .iter()
            .all(|view| view.state == MemberStatus::Active && view.renewed_ago_ms < view.ttl_ms)
    );
    // The member hears of the plan a little later than whoever wrote it.
    let mut own = a.snapshot().await.unwrap();
    while !own.unowned.is_empty() {
        tokio::task::yield_now().await;
        own = a.snapshot().await.unwrap();
    }
    assert_eq!((own.holdings, own.unowned), (survey.holdings, survey.unowned));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_hears_of_a_member_that_leaves() {
    let (store, acts) = (Memory::new(), Acts::default());
    let (a, _b) = (working(&store, "a", &acts).await, working(&store, "b", &acts).await);
    let mut cluster = onlooker(&store).await;
    until(&mut cluster, even).await;
    a.leave().await.unwrap();
    let (_, news) = until(&mut cluster, |survey| held(survey, "b") == SHARDS as usize).await;
    assert!(news.iter().any(|news| matches!(news, News::Became { member, .. } if member.as_str() == "a")));
    let taken = |news: &&News| matches!(news, News::Appointed { owner, .. } | News::Succeeded { owner, .. } if owner.as_str() == "b");
    assert_eq!(news.iter().filter(taken).count(), SHARDS as usize / 2, "{news:?}");
    acts.assert_exclusive();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_drains_moves_and_fences_without_two_owners() {
    let (store, acts) = (Memory::new(), Acts::default());
    let (_a, _b) = (working(&store, "a", &acts).await, working(&store, "b", &acts).await);
    let mut cluster = onlooker(&store).await;
    let (survey, _) = until(&mut cluster, even).await;
    let (a, b) = ("a".parse().unwrap(), "b".parse().unwrap());
    let shard = survey.members[0].holds[0];
    cluster.promise(shard, &b, &"operator".parse().unwrap()).await.unwrap();
    until(&mut cluster, |survey| survey.holdings[shard.0 as usize].owner.as_ref() == Some(&b)).await;
    assert!(cluster.drain(&a, true).await.unwrap());
    until(&mut cluster, |survey| held(survey, "a") == 0).await;
    assert!(cluster.drain(&a, false).await.unwrap());
    assert!(!cluster.drain(&a, false).await.unwrap(), "it says so already");
    until(&mut cluster, even).await;
    cluster.fence(&a, true).await.unwrap();
    until(&mut cluster, |survey| held(survey, "b") == SHARDS as usize).await;
    acts.assert_exclusive();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let (store, acts) = (Memory::new(), Acts::default());
    let _a = working(&store, "a", &acts).await;
    let mut cluster = onlooker(&store).await;
    until(&mut cluster, |survey| held(survey, "a") == SHARDS as usize).await;
    let nobody = "nobody".parse().unwrap();
    let refused = cluster.promise(ShardId(0), &nobody, &nobody).await.unwrap_err();
    assert!(matches!(refused, SteerError::Refused(Refusal::NoMember(_))), "{refused:?}");
    assert!(cluster.fence(&nobody, true).await.is_err() && cluster.drain(&nobody, true).await.is_err());
}
