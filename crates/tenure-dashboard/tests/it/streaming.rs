//! The stream: a picture first, then what changes; and an end that holds nobody up.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::Events;
use crate::testbed::{SHARDS, Testbed, member};

/// A viewer who applies events as the documentation says.
struct Viewer {
    members: BTreeMap<u64, Value>,
    owner: Vec<Value>,
    epoch: Vec<Value>,
}

impl Viewer {
    fn of(picture: &Value) -> Self {
        let members = picture["members"].as_array().unwrap().iter();
        let column = |name: &str| picture["shards"][name].as_array().unwrap().clone();
        Self {
            members: members.map(|member| (member["index"].as_u64().unwrap(), member.clone())).collect(),
            owner: column("owner"),
            epoch: column("epoch"),
        }
    }

    fn apply(&mut self, name: &str, data: &Value) {
        match name {
            "picture" => *self = Self::of(data),
            "members" => {
                for member in data["members"].as_array().unwrap() {
                    self.members.insert(member["index"].as_u64().unwrap(), member.clone());
                }
            }
            "cells" => {
                for (place, shard) in data["shard"].as_array().unwrap().iter().enumerate() {
                    let shard = shard.as_u64().unwrap() as usize;
                    self.owner[shard] = data["owner"][place].clone();
                    self.epoch[shard] = data["epoch"][place].clone();
                }
            }
            _ => {}
        }
    }

    fn held(&self, index: u64) -> usize {
        self.owner.iter().filter(|owner| **owner == index).count()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_applies_the_events_has_the_picture() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    let ada = member(&served.settled(2).await, "ada")["index"].as_u64().unwrap();
    let mut events = Events::open(served.address).await;
    let (name, picture) = events.next().await.unwrap();
    assert_eq!(name, "picture");
    let mut viewer = Viewer::of(&picture);
    served.act("/api/v1/members/ada/drain", r#"{"why": "to see it"}"#).await.well();
    let mut names = Vec::new();
    // The moves follow the cells that they tell of.
    while viewer.held(1 - ada) < SHARDS || names.last().is_none_or(|last| last != "moves") {
        let (name, data) = events.next().await.unwrap();
        viewer.apply(&name, &data);
        names.push(name);
    }
    let picture = served.picture().await;
    assert_eq!(json!(viewer.owner), picture["shards"]["owner"]);
    assert_eq!(json!(viewer.epoch), picture["shards"]["epoch"]);
    assert_eq!(viewer.members[&ada]["drained"], true);
    for name in ["members", "cells", "moves", "deed"] {
        assert!(names.iter().any(|told| told == name), "{name} is missing of {names:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_viewers_share_one_observer() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.dashboard().await;
    served.settled(1).await;
    let mut viewers = Vec::new();
    for _ in 0..20 {
        viewers.push(Events::open(served.address).await);
    }
    for viewer in &mut viewers {
        viewer.until("members", |_| true).await;
    }
    let metrics = served.get("/metrics").await.body;
    assert!(metrics.contains("\ntenure_cluster_viewers{cluster=\"orders\"} 20.0\n"), "{metrics}");
    let seen: Vec<u64> = {
        let mut seqs = Vec::new();
        for viewer in &mut viewers {
            seqs.push(viewer.until("beat", |_| true).await["at_ms"].as_u64().unwrap());
        }
        seqs
    };
    assert!(seen.iter().all(|at_ms| *at_ms == seen[0]), "one beat for all: {seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_dashboard_ends_streams_and_is_not_held_up_by_them() {
    let bed = Testbed::new();
    let served = bed.dashboard().await;
    let mut events = Events::open(served.address).await;
    events.next().await.unwrap();
    served.dashboard.stop();
    served.over.cancel();
    while events.next().await.is_some() {}
    served.task.await.unwrap();
}
