//! The truth: while members come, go, are drained and fenced, what is shown is what the store holds.

use std::sync::Arc;

use serde_json::{Value, json};
use tenure::cluster::Survey;
use tenure::{Cluster, Member};
use tenure_stores::sqlite::SqliteStore;

use crate::testbed::{Served, Testbed};

/// When an open lease counts as silent is by the clock of whoever looks, and two of them need not agree to the millisecond.
fn open(state: &str) -> &str {
    if matches!(state, "active" | "drained" | "silent") { "open" } else { state }
}

/// What a look at the store itself says of owners.
fn held(survey: &Survey) -> Value {
    let one = |view: &tenure::cluster::HoldingView| {
        json!([view.shard, view.owner.as_ref().map(ToString::to_string), view.epoch])
    };
    let states = survey
        .members
        .iter()
        .map(|view| json!([view.id, open(view.state.name()), view.drained, view.holds.len()]));
    json!([survey.holdings.iter().map(one).collect::<Vec<_>>(), states.collect::<Vec<_>>()])
}

/// The same, as the picture has it.
fn shown(picture: &Value) -> Value {
    let shards = &picture["shards"];
    let name = |owner: i64| usize::try_from(owner).ok().map(|owner| picture["members"][owner]["id"].clone());
    let one =
        |shard: usize| json!([shard, name(shards["owner"][shard].as_i64().unwrap()), shards["epoch"][shard]]);
    let mut members: Vec<&Value> = picture["members"].as_array().unwrap().iter().collect();
    members.sort_by_key(|member| member["id"].as_str().unwrap());
    let states = members.iter().map(|member| {
        json!([member["id"], open(member["state"].as_str().unwrap()), member["drained"], member["shards"]])
    });
    let count = shards["owner"].as_array().unwrap().len();
    json!([(0..count).map(one).collect::<Vec<_>>(), states.collect::<Vec<_>>()])
}

/// Compares, if the store says the same before and after: a picture of a look that began after the first.
async fn compare(cluster: &mut Cluster, served: &Served) -> bool {
    let before = held(&cluster.look().await.unwrap().survey);
    let mut looks = std::collections::BTreeSet::new();
    // The look under way may have begun before: it takes a second one to be sure, and a third to count two whole ones.
    let picture = loop {
        let picture = served.picture().await;
        looks.insert(picture["sight"]["seen_ms"].as_u64());
        if looks.len() == 3 {
            break picture;
        }
    };
    if before != held(&cluster.look().await.unwrap().survey) {
        return false;
    }
    assert_eq!(shown(&picture), before);
    true
}

/// A guest comes while the dashboard can't see the store, which it then can again.
async fn unseen(bed: &Testbed, served: &Served, guest: &str) -> Arc<Member> {
    served.outage.begin();
    served.until(|picture| picture["sight"]["state"] == "away").await;
    let came = bed.member(guest).await;
    let picture = served.picture().await;
    assert!(picture["members"].as_array().unwrap().iter().all(|member| member["id"] != guest), "{picture}");
    served.outage.end();
    served.until(|picture| picture["sight"]["state"] == "seen").await;
    came
}

async fn cluster(store: SqliteStore) -> Cluster {
    Cluster::find(store, &"orders".parse().unwrap()).await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_cluster_is_disturbed_the_picture_is_what_the_store_holds() {
    let bed = Testbed::new();
    let (_ada, ben) = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    served.settled(2).await;
    let mut store = cluster(bed.store().await).await;
    let mut compared = 0;
    let mut guests = vec![ben];
    for turn in 0..12 {
        match turn % 6 {
            0 => drop(served.act("/api/v1/members/ada/drain", r#"{"why": "turn"}"#).await.well()),
            1 => guests.push(bed.member(&format!("guest{turn}")).await),
            2 => drop(served.act("/api/v1/members/ada/undrain", r#"{"why": "turn"}"#).await.well()),
            3 => guests.remove(0).leave().await.unwrap(),
            4 => {
                drop(served.act("/api/v1/members/ada/fence", r#"{"why": "turn", "let_return": true}"#).await)
            }
            _ => guests.push(unseen(&bed, &served, &format!("guest{turn}")).await),
        }
        compared += u32::from(compare(&mut store, &served).await);
    }
    while !compare(&mut store, &served).await {}
    assert!(compared >= 4, "only {compared} times nothing changed between two looks");
}
