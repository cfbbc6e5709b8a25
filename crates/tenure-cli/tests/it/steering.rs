//! Commands that change something.

use serde_json::json;

use crate::testbed::{Did, Testbed, held};

#[tokio::test(flavor = "multi_thread")]
async fn a_drained_member_holds_nothing_until_that_is_taken_back() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    let did = bed.tenure(&["drain", "a"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.err.starts_with("a hands its shards on\n"), "{}", did.err);
    assert!(did.err.ends_with("a holds nothing; `tenure drain a --undo` takes it back\n"), "{}", did.err);
    let status = bed.status().await;
    assert_eq!((held(&status, "a"), held(&status, "b")), (0, 8));
    assert_eq!(status["members"][0]["state"], json!("drained"));
    assert!(bed.tenure(&["drain", "a", "--no-wait"]).await.err.contains("a was drained already"));
    let undone = bed.tenure(&["drain", "a", "--undo"]).await.err;
    assert_eq!(undone, "a gets shards again, and keeps what it has\n");
    bed.until(|status| held(status, "a") == 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn draining_the_only_member_does_not_end_in_time() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    let did = bed.tenure(&["drain", "a", "--timeout", "300ms"]).await;
    assert_eq!(did.code, 6, "{did:?}");
    assert!(did.err.contains("a holds 8 shards; no other member is active, so it keeps them"), "{}", did.err);
    assert!(did.err.contains("not done within 300ms"), "{}", did.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_shard_is_at_its_new_owner_and_says_who_moved_it() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    let shard = bed.status().await["members"][0]["holds"][0].to_string();
    let did = bed.tenure(&["move", &shard, "--to", "b"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.err.contains(&format!("shard {shard} is promised to b\n")), "{}", did.err);
    assert!(did.err.contains(&format!("shard {shard} is at b after ")), "{}", did.err);
    assert!(did.err.contains("without an owner for at most "), "{}", did.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_makes_no_sense_is_refused_with_the_reason() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    let told = bed.tenure(&["move", "8", "--to", "a"]).await.failed(5);
    assert_eq!(told, "error: there is no shard 8: this cluster has 8, from 0 to 7\n");
    let told = bed.tenure(&["move", "0", "--to", "z"]).await.failed(5);
    assert_eq!(told, "error: there is no member z in this cluster\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fenced_member_loses_everything_and_is_kept_out() {
    let bed = Testbed::new();
    let members = bed.members(&["a", "b"]).await;
    let told = bed.tenure(&["fence", "a"]).await.failed(2);
    assert!(told.contains("a holds 4 shards. It stops acting within about"), "{told}");
    assert!(told.ends_with("error: nobody is there to confirm; say --yes\n"), "{told}");
    assert_eq!(held(&bed.status().await, "a"), 4, "asking changes nothing");
    let did = bed.tenure(&["fence", "a", "--yes"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.err.contains("a is fenced: it stops at its next renewal"), "{}", did.err);
    let status = bed.status().await;
    assert_eq!(held(&status, "b"), 8, "{status}");
    // It lives on, comes back by itself, and gets nothing.
    let back = bed.until(|status| status["members"][0]["state"] == "drained").await;
    assert!(back["members"][0]["incarnation"].as_str().unwrap().ends_with(".2"), "{back}");
    assert_eq!(members[0].metrics().lapses, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_to_the_present_owner_is_done_already() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    let did = bed.tenure(&["move", "0", "--to", "a", "--json"]).await;
    assert_eq!((did.code, did.err.as_str()), (0, "shard 0 is at a already\n"));
    let json: serde_json::Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!(json, json!({"what": "move 0 --to a", "changed": false, "finished": true}));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_steers_tells_programs_what_came_of_it() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    let told = |did: Did| serde_json::from_str::<serde_json::Value>(&did.well()).unwrap();
    let drained = told(bed.tenure(&["drain", "a", "--json"]).await);
    assert_eq!(drained, json!({"what": "drain a", "changed": true, "finished": true}));
    let again = told(bed.tenure(&["drain", "a", "--json", "--no-wait"]).await);
    assert_eq!(again, json!({"what": "drain a", "changed": false, "finished": null}));
    let fenced = told(bed.tenure(&["fence", "b", "--json", "--yes", "--no-wait"]).await);
    assert_eq!(fenced, json!({"what": "fence b", "changed": true, "finished": null}));
}

/// The shard of `a` that is named, once it is promised.
async fn promised(bed: &Testbed, shard: &str) {
    let did = bed.tenure(&["move", shard, "--to", "b", "--no-wait"]).await;
    assert_eq!(did.code, 0, "{did:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_is_not_done_yet_can_be_taken_back() {
    let bed = Testbed::new();
    let (_a, _b) = (bed.member_at_leisure("a").await, bed.member_at_leisure("b").await);
    bed.until(|status| status["members"].as_array().unwrap().len() == 2 && held(status, "a") == 4).await;
    let shard = bed.status().await["members"][0]["holds"][0].to_string();
    promised(&bed, &shard).await;
    let did = bed.tenure(&["move", &shard, "--cancel", "--why", "not now", "--json"]).await;
    assert_eq!((did.code, did.err), (0, format!("shard {shard} stays at a\n")));
    let status = bed.status().await;
    let holding = &status["holdings"][shard.parse::<usize>().unwrap()];
    assert_eq!((&holding["owner"], &holding["heir"]), (&json!("a"), &json!(null)));
    let again = bed.tenure(&["move", &shard, "--cancel"]).await;
    assert!(again.err.starts_with(&format!("shard {shard} is not on the move")), "{again:?}");
    let told = bed.tenure(&["acts"]).await.well();
    assert!(told.contains(&format!("move {shard} --cancel")) && told.contains("not now"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_that_is_undone_takes_back_what_it_promised() {
    let bed = Testbed::new();
    let (_a, _b) = (bed.member_at_leisure("a").await, bed.member_at_leisure("b").await);
    bed.until(|status| status["members"].as_array().unwrap().len() == 2 && held(status, "a") == 4).await;
    let before = bed.status().await["members"][0]["holds"].clone();
    bed.tenure(&["drain", "a", "--no-wait"]).await.well();
    let moving = |status: &serde_json::Value| {
        status["holdings"].as_array().unwrap().iter().filter(|one| !one["heir"].is_null()).count()
    };
    bed.until(|status| moving(status) == 4).await;
    bed.tenure(&["drain", "a", "--undo"]).await.well();
    let after = bed.until(|status| moving(status) == 0).await;
    assert_eq!(after["members"][0]["holds"], before);
}
