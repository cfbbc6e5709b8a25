//! The store away: it is said, the last picture stays, and when the store is back all is as it is.

use serde_json::json;

use crate::client::Events;
use crate::testbed::{SHARDS, Testbed, held, member};

#[tokio::test(flavor = "multi_thread")]
async fn with_the_store_away_it_says_so_and_recovers() {
    let bed = Testbed::new();
    let (_ada, ben) = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    let before = served.settled(2).await;
    let mut events = Events::open(served.address).await;
    served.outage.begin();
    let sight = events.until("sight", |_| true).await;
    assert_eq!(sight["state"], "away");
    assert!(sight["reason"].as_str().unwrap().contains("injected fault"), "{sight}");
    let away = served.picture().await;
    assert_eq!(
        (&away["sight"]["state"], &away["shards"]["owner"]),
        (&json!("away"), &before["shards"]["owner"])
    );
    assert_eq!(served.get("/readyz").await.status, 503);
    assert!(served.get("/metrics").await.body.contains("\ntenure_cluster_seen{cluster=\"orders\"} 0.0\n"));
    let refused = served.act("/api/v1/members/ada/drain", r#"{"why": "x"}"#).await;
    assert_eq!(refused.problem(), (503, "unavailable".into()));
    ben.leave().await.unwrap();
    served.outage.end();
    events.until("sight", |sight| sight["state"] == "seen").await;
    let after = served.until(|picture| member(picture, "ada")["shards"] == SHARDS).await;
    assert_eq!(held(&after, member(&after, "ada")["index"].as_u64().unwrap() as usize), SHARDS);
    let timeline = served.get("/api/v1/timeline").await.well();
    let blind = timeline["blind"].as_array().unwrap();
    assert_eq!(blind.len(), 1);
    assert!(blind[0]["from_ms"].as_u64() <= blind[0]["to_ms"].as_u64(), "{blind:?}");
}
