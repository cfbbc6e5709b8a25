//! Looking: what is shown is what is there, and words are data.

use serde_json::{Value, json};
use tenure::Cluster;

use crate::testbed::{SHARDS, Testbed, member};

#[tokio::test(flavor = "multi_thread")]
async fn the_picture_is_what_the_store_holds() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    let picture = served.settled(2).await;
    let store = bed.store().await;
    let mut cluster = Cluster::find(store, &"orders".parse().unwrap()).await.unwrap().unwrap();
    let survey = cluster.look().await.unwrap().survey;
    let name = |index: &Value| picture["members"][index.as_u64().unwrap() as usize]["id"].clone();
    let owners: Vec<Value> = picture["shards"]["owner"].as_array().unwrap().iter().map(name).collect();
    let expected: Vec<Value> =
        survey.holdings.iter().map(|view| json!(view.owner.as_ref().map(ToString::to_string))).collect();
    assert_eq!(owners, expected);
    let epochs: Vec<u64> = survey.holdings.iter().map(|view| view.epoch.0).collect();
    assert_eq!(picture["shards"]["epoch"], json!(epochs));
    for view in &survey.members {
        let shown = member(&picture, view.id.as_str());
        assert_eq!((&shown["state"], &shown["shards"]), (&json!(view.state), &json!(view.holds.len())));
        assert_eq!(shown["incarnation"], json!(view.incarnation.map(|life| life.to_string())));
    }
    assert_eq!((&picture["shard_count"], &picture["cluster"]), (&json!(SHARDS), &json!("orders")));
    assert_eq!(picture["can"], json!({"act": true, "playground": false}));
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_members_say_comes_back_as_data_under_a_policy_that_runs_nothing() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.dashboard().await;
    served.settled(1).await;
    let note = r#"{"why": "<i>why</i>", "text": "<script>alert('note')</script>"}"#;
    assert_eq!(served.act("/api/v1/members/ada/note", note).await.well()["changed"], true);
    let picture = served.until(|picture| !member(picture, "ada")["note"].is_null()).await;
    let ada = member(&picture, "ada");
    assert_eq!(ada["zone"], "<script>alert('zone')</script>");
    assert_eq!(
        (&ada["note"]["text"], &ada["note"]["by"]),
        (&json!("<script>alert('note')</script>"), &json!("eve"))
    );
    let answer = served.get("/api/v1/picture").await;
    assert!(answer.head.contains("content-type: application/json"), "{answer:?}");
    for header in ["content-security-policy: default-src 'self';", "x-content-type-options: nosniff"] {
        assert!(answer.head.contains(header), "{answer:?}");
    }
    assert!(!answer.head.contains("unsafe-inline"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_and_its_parts_are_served_and_nothing_beside_them() {
    let served = Testbed::new().dashboard().await;
    let page = served.get("/").await;
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-type: text/html; charset=utf-8"), "{page:?}");
    for forbidden in ["<script>", " style=", "src=\"http", "src=\"//", "href=\"http", "href=\"//"] {
        assert!(!page.body.contains(forbidden), "{forbidden}");
    }
    for path in
        ["/assets/", "/assets/../Cargo.toml", "/assets/%2e%2e/Cargo.toml", "/assets//etc/passwd", "/x"]
    {
        assert_eq!(served.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_that_of_the_members_and_changes_nothing() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    served.settled(2).await;
    let plan = served.ask("/api/v1/plan", r#"{"remove": ["ben"]}"#).await.well();
    assert_eq!(
        (&plan["holds"]["ada"], &plan["holds"]["ben"]),
        (&json!({"now": 4, "then": 8}), &json!({"now": 4, "then": 0}))
    );
    assert_eq!(plan["moves"].as_array().unwrap().len(), 4);
    assert_eq!(served.ask("/api/v1/plan", "{}").await.well()["moves"], json!([]));
    let doubted = served.ask("/api/v1/plan", r#"{"remove": ["zoe"]}"#).await;
    assert_eq!(doubted.problem(), (409, "refused".into()));
    let nonsense = served.ask("/api/v1/plan", r#"{"add": [{"id": "<b>"}]}"#).await;
    assert_eq!(nonsense.problem(), (400, "invalid".into()));
    served.settled(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_is_not_there_yet_appears() {
    let bed = Testbed::new();
    let served = bed.dashboard().await;
    served.until(|picture| picture["sight"]["state"] == "absent").await;
    assert_eq!(served.get("/readyz").await.status, 503);
    assert_eq!(served.get("/livez").await.body, "alive\n");
    let _ada = bed.member("ada").await;
    served.settled(1).await;
    assert_eq!(served.get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_timeline_tells_who_had_a_shard_before_and_how_that_ended() {
    let bed = Testbed::new();
    let (ada, _ben) = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    served.settled(2).await;
    ada.leave().await.unwrap();
    served.until(|picture| member(picture, "ben")["shards"] == SHARDS).await;
    let timeline = served.get("/api/v1/timeline").await.well();
    let tenures = &timeline["tenures"];
    let column = |name: &str| tenures[name].as_array().unwrap().clone();
    let ended: Vec<Value> = column("end").into_iter().filter(|end| !end.is_null()).collect();
    assert!(!ended.is_empty() && ended.iter().all(|end| end == "moved" || end == "left"), "{tenures}");
    let lasting = column("to_ms").iter().filter(|to_ms| to_ms.is_null()).count();
    assert_eq!(lasting, SHARDS, "{tenures}");
    let order: Vec<(u64, u64)> = column("shard")
        .iter()
        .zip(column("epoch"))
        .map(|(shard, epoch)| (shard.as_u64().unwrap(), epoch.as_u64().unwrap()))
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    let later = served.get("/api/v1/timeline?from_ms=99999999999999").await.well();
    assert_eq!(later["tenures"]["shard"].as_array().unwrap().len(), SHARDS, "only those that last");
    let health = served.get("/api/v1/health").await.well();
    assert_eq!(health["unowned"], 0);
    assert!(health["points"]["renewals"].as_array().unwrap().iter().any(|count| count.as_u64() > Some(0)));
}
