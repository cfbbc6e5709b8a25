//! Commands that change something.

use serde_json::json;

use crate::bed::{Bed, held};

#[tokio::test(flavor = "multi_thread")]
async fn a_drained_member_holds_nothing_until_that_is_taken_back() {
    let bed = Bed::new();
    let _members = bed.members(&["a", "b"]).await;
    let did = bed.tenure(&["drain", "a"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.err.starts_with("a hands its shards on\n"), "{}", did.err);
    assert!(did.err.ends_with("a holds nothing; `tenure drain a --undo` takes it back\n"), "{}", did.err);
    let status = bed.status().await;
    assert_eq!((held(&status, "a"), held(&status, "b")), (0, 8));
    assert_eq!(status["members"][0]["state"], json!("drained"));
    assert!(bed.tenure(&["drain", "a", "--no-wait"]).await.err.contains("a was drained already"));
    assert_eq!(bed.tenure(&["drain", "a", "--undo"]).await.err, "a gets shards again\n");
    bed.until(|status| held(status, "a") == 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn draining_the_only_member_does_not_end_in_time() {
    let bed = Bed::new();
    let _members = bed.members(&["a"]).await;
    let did = bed.tenure(&["drain", "a", "--timeout", "300ms"]).await;
    assert_eq!(did.code, 6, "{did:?}");
    assert!(did.err.contains("a holds 8 shards; no other member is active, so it keeps them"), "{}", did.err);
    assert!(did.err.contains("not done within 300ms"), "{}", did.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_shard_is_at_its_new_owner_and_says_who_moved_it() {
    let bed = Bed::new();
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
    let bed = Bed::new();
    let _members = bed.members(&["a"]).await;
    let told = bed.tenure(&["move", "0", "--to", "a"]).await.failed(5);
    assert_eq!(told, "error: shard 0 is at a already\n");
    let told = bed.tenure(&["move", "8", "--to", "a"]).await.failed(5);
    assert_eq!(told, "error: there is no shard 8: this cluster has 8, from 0 to 7\n");
    let told = bed.tenure(&["move", "0", "--to", "z"]).await.failed(5);
    assert_eq!(told, "error: there is no member z in this cluster\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fenced_member_loses_everything_and_is_kept_out() {
    let bed = Bed::new();
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
