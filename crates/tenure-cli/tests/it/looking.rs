//! Commands that only look.

use std::io::Read;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::testbed::{Testbed, held};

#[tokio::test(flavor = "multi_thread")]
async fn the_status_as_json_has_the_documented_shape() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    let status = bed.status().await;
    assert_eq!((&status["cluster"], &status["shards"]), (&json!("default"), &json!(8)));
    assert_eq!((&status["unowned"], &status["problems"]), (&json!([]), &json!([])));
    let member = &status["members"][0];
    assert_eq!((&member["id"], &member["state"]), (&json!("a"), &json!("active")));
    assert_eq!(
        (&member["weight"], &member["zone"], &member["ttl_ms"]),
        (&json!(1), &json!("attic"), &json!(2000))
    );
    assert_eq!(member["address"], "a.example:80");
    assert!(member["incarnation"].as_str().unwrap().ends_with(".1"), "{member}");
    assert!(member["holds"].as_array().unwrap().iter().all(Value::is_u64));
    let holding = &status["holdings"][7];
    assert_eq!((&holding["shard"], &holding["heir"]), (&json!(7), &Value::Null));
    assert!(["a", "b"].contains(&holding["owner"].as_str().unwrap()), "{holding}");
    assert!(holding["epoch"].as_u64().unwrap() > 0 && holding["since_ms"].as_u64().unwrap() > 0);
    assert!(holding["why"].is_string());
    assert_eq!(held(&status, "a") + held(&status, "b"), 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_for_people_says_who_holds_what_without_colours_in_a_pipe() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    let text = bed.tenure(&["status"]).await.well();
    assert!(text.starts_with("cluster default on sqlite:tenure.db: 8 shards, all owned\n\n"), "{text}");
    assert!(text.contains("  A  a       active      4       1  attic  a.example:80  "), "{text}");
    assert!(!text.contains('\x1b'), "{text:?}");
    let map = text.lines().last().unwrap();
    assert_eq!((map.matches('A').count(), map.matches('B').count()), (4, 4), "{text}");
    let each = bed.tenure(&["status", "--holdings"]).await.well();
    assert_eq!(each.lines().count(), 9, "{each}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_nobody_owns_says_why() {
    let bed = Testbed::new();
    let members = bed.members(&["a"]).await;
    members[0].leave().await.unwrap();
    let status = bed.status().await;
    assert_eq!(status["unowned"], json!([0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(status["holdings"][0]["owner"], Value::Null);
    assert_eq!(status["holdings"][0]["why"], json!("a left; no member is active"));
    let text = bed.tenure(&["status"]).await.well();
    assert!(text.contains("no member is there\n  and 1 ended; --all shows them\n"), "{text}");
    assert!(text.ends_with("  unowned  0-7: a left; no member is active\n"), "{text}");
    assert!(bed.tenure(&["status", "--all"]).await.well().contains("gone"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_hears_of_who_comes_and_what_they_get() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    let mut watch = bed.program(&["watch"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut greeting = [0; 8];
    watch.stderr.as_mut().unwrap().read_exact(&mut greeting).unwrap();
    assert_eq!(&greeting, b"watching");
    let _b = bed.member("b").await;
    bed.until(|status| status["members"].as_array().unwrap().len() == 2 && held(status, "b") == 4).await;
    let mut out = watch.stdout.take().unwrap();
    let heard = tokio::task::spawn_blocking(move || {
        let mut heard = String::new();
        // Ends once it has heard all, or with the pipe.
        while !heard.contains("-> b (from a: balance)") {
            let mut some = [0; 4096];
            let count = out.read(&mut some).unwrap();
            assert_ne!(count, 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&some[..count]));
        }
        heard
    });
    let heard = heard.await.unwrap();
    assert!(heard.contains("  b joined, life ") && heard.contains(" promised to b\n"), "{heard}");
    watch.kill().unwrap();
    watch.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_tells_what_would_move_and_moves_nothing() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    assert!(bed.tenure(&["plan"]).await.well().starts_with("Nothing would move.\n"));
    let gone: Value =
        serde_json::from_str(&bed.tenure(&["plan", "--remove", "a", "--json"]).await.well()).unwrap();
    assert_eq!(
        (gone["moves"].as_array().unwrap().len(), &gone["holds"]["b"]),
        (4, &json!({"now": 4, "then": 8}))
    );
    let more: Value =
        serde_json::from_str(&bed.tenure(&["plan", "--add", "c:2", "--json"]).await.well()).unwrap();
    assert_eq!(more["holds"]["c"], json!({"now": 0, "then": 4}));
    let heavy = bed.tenure(&["plan", "--weight", "a=3"]).await.well();
    assert!(heavy.starts_with("2 of 8 shards would move.\n"), "{heavy}");
    assert_eq!(held(&bed.status().await, "a"), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_keeps_its_word_may_be_used() {
    let bed = Testbed::new();
    let text = bed.tenure(&["store", "check", "--create"]).await.well();
    assert_eq!(text.matches("\n  ok  ").count(), 9, "{text}");
    assert!(text.ends_with("\nThis store may be used.\n"), "{text}");
}
