//! Waiting until the cluster is as wished.

use serde_json::{Value, json};

use crate::testbed::{Testbed, held};

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_is_done_at_once_if_it_is_so_already() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    let did = bed.tenure(&["wait", "--all-owned", "--balanced", "--json"]).await;
    assert_eq!((did.code, did.err.as_str()), (0, ""), "{did:?}");
    let json: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((&json["met"], &json["missing"]), (&json!(true), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_said_and_not_in_time_has_its_code() {
    let bed = Testbed::new();
    for member in bed.members(&["a"]).await {
        member.leave().await.unwrap();
    }
    let did = bed.tenure(&["wait", "--all-owned", "--timeout", "200ms", "--json"]).await;
    assert_eq!(did.code, 6, "{did:?}");
    assert_eq!(
        did.err,
        "waiting: 8 of 8 shards without an owner\nnot so within 200ms: 8 of 8 shards without an owner\n"
    );
    let json: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((&json["met"], &json["missing"]), (&json!(false), &json!(["8 of 8 shards without an owner"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_is_waited_for_until_it_has_its_share() {
    let bed = Testbed::new();
    let _a = bed.members(&["a"]).await;
    let _b = bed.member("b").await;
    bed.until(|status| status["members"].as_array().unwrap().len() == 2).await;
    bed.tenure(&["wait", "--balanced"]).await.well();
    let status = bed.status().await;
    assert_eq!((held(&status, "a"), held(&status, "b")), (4, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_is_waited_for_until_it_holds_nothing() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    bed.tenure(&["drain", "a", "--no-wait"]).await.well();
    let did = bed.tenure(&["wait", "--member", "a", "--drained"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    assert_eq!(held(&bed.status().await, "a"), 0);
    let told = bed.tenure(&["wait", "--member", "z", "--drained"]).await.failed(5);
    assert_eq!(told, "error: there is no member z in this cluster\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_must_be_said_whole() {
    let bed = Testbed::new();
    assert!(bed.tenure(&["wait"]).await.failed(2).contains("--all-owned"));
    assert!(bed.tenure(&["wait", "--drained"]).await.failed(2).contains("--member"));
    assert!(bed.tenure(&["wait", "--member", "a"]).await.failed(2).contains("--drained"));
}
