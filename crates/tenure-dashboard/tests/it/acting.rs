//! Acting: with a token it is done and written down; without one nothing happens.

use serde_json::json;
use tenure::Cluster;
use tenure::clock::Clock;
use tenure::cluster::{Act, Came};

use crate::client::Request;
use crate::testbed::{SHARDS, Testbed, held, member};

#[tokio::test(flavor = "multi_thread")]
async fn draining_and_its_undoing_move_the_shards_and_are_written_down() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    served.settled(2).await;
    let done = served.act("/api/v1/members/ada/drain", r#"{"why": "new disk"}"#).await.well();
    assert_eq!(done, json!({"done": "ada hands its shards on", "changed": true}));
    let picture = served.until(|picture| member(picture, "ada")["shards"] == 0).await;
    assert_eq!(
        (&member(&picture, "ada")["state"], &member(&picture, "ada")["drained"]),
        (&json!("drained"), &json!(true))
    );
    let again = served.act("/api/v1/members/ada/drain", r#"{"why": "new disk"}"#).await.well();
    assert_eq!(again["changed"], false);
    served.act("/api/v1/members/ada/undrain", r#"{"why": "disk is in"}"#).await.well();
    served.settled(2).await;
    let audit = bed.audit();
    let told =
        |line: usize| (audit[line]["who"].clone(), audit[line]["deed"].clone(), audit[line]["stage"].clone());
    assert_eq!(told(0), (json!("eve"), json!("drain"), json!("asked")));
    assert_eq!(told(1), (json!("eve"), json!("drain"), json!("done")));
    assert_eq!(told(5), (json!("eve"), json!("undrain"), json!("done")));
    assert_eq!(audit[1]["why"], "new disk");
    let deeds = served.get("/api/v1/timeline").await.well()["deeds"].clone();
    assert_eq!(deeds.as_array().unwrap().len(), 3);
    assert_eq!(
        (&deeds[0]["who"], &deeds[0]["member"], &deeds[0]["refused"]),
        (&json!("eve"), &json!("ada"), &json!(null))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_goes_where_it_is_moved_to() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    let picture = served.settled(2).await;
    let owners = picture["shards"]["owner"].as_array().unwrap();
    let ada = member(&picture, "ada")["index"].as_u64().unwrap();
    let shard = owners.iter().position(|owner| *owner == ada).unwrap();
    let done =
        served.act(&format!("/api/v1/shards/{shard}/move"), r#"{"why": "hot", "to": "ben"}"#).await.well();
    assert_eq!(done["done"], format!("shard {shard} is promised to ben"));
    let there = served.act(&format!("/api/v1/shards/{shard}/move"), r#"{"why": "hot", "to": "zoe"}"#).await;
    assert_eq!(there.problem(), (409, "refused".into()));
    let nowhere = served.act("/api/v1/shards/99/move", r#"{"why": "hot", "to": "ben"}"#).await;
    assert_eq!(nowhere.problem(), (409, "refused".into()));
    let audit = bed.audit();
    assert_eq!((&audit[0]["shard"], &audit[0]["to"]), (&json!(shard), &json!("ben")));
    assert_eq!(audit[3]["stage"], "refused");
    assert!(audit[3]["refused"].as_str().unwrap().contains("zoe"), "{audit:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fenced_member_lapses_and_is_kept_out() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    let life = member(&served.settled(2).await, "ada")["incarnation"].clone();
    served.act("/api/v1/members/ada/fence", r#"{"why": "does no work"}"#).await.well();
    let picture = served
        .until(|picture| {
            member(picture, "ben")["shards"] == SHARDS && member(picture, "ada")["incarnation"] != life
        })
        .await;
    let ada = member(&picture, "ada");
    // Who was seen first has the first index: that may be either of them.
    let index = ada["index"].as_u64().unwrap() as usize;
    assert_eq!((held(&picture, index), &ada["drained"]), (0, &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_token_that_is_known_nothing_happens() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    let before = served.settled(2).await;
    let all = [
        ("/api/v1/members/ada/drain", r#"{"why": "x"}"#),
        ("/api/v1/members/ada/undrain", r#"{"why": "x"}"#),
        ("/api/v1/members/ada/fence", r#"{"why": "x"}"#),
        ("/api/v1/members/ada/note", r#"{"why": "x", "text": "x"}"#),
        ("/api/v1/shards/0/move", r#"{"why": "x", "to": "ben"}"#),
        ("/api/v1/playground/members", "{}"),
        ("/api/v1/playground/members/ada/kill", "{}"),
    ];
    for (path, body) in all {
        let answer = Request::post(path, body).send(served.address).await;
        assert_eq!(answer.problem(), (401, "unauthorised".into()), "{path}");
        assert!(answer.head.contains("www-authenticate: bearer"), "{answer:?}");
    }
    // As many as are not braked.
    for (path, body) in &all[..5] {
        let wrong = Request::post(path, body).with("authorization", "Bearer 0123456789abcdee");
        assert_eq!(wrong.send(served.address).await.problem(), (401, "unauthorised".into()), "{path}");
    }
    let quiet = bed.served(|builder| builder).await;
    for (path, body) in all {
        assert_eq!(quiet.act(path, body).await.problem(), (403, "forbidden".into()), "{path}");
    }
    let after = served.settled(2).await;
    assert_eq!(after["shards"]["epoch"], before["shards"]["epoch"]);
    for id in ["ada", "ben"] {
        let (was, is) = (member(&before, id), member(&after, id));
        assert_eq!((&was["incarnation"], &was["drained"]), (&is["incarnation"], &is["drained"]));
        assert!(is["note"].is_null());
    }
    assert_eq!(bed.audit().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_told_whose_it_is() {
    let served = Testbed::new().dashboard().await;
    let mine = Request::get("/api/v1/me").with("authorization", &format!("Bearer {}", crate::testbed::TOKEN));
    assert_eq!(mine.send(served.address).await.well(), json!({"name": "eve", "role": "admin"}));
    assert_eq!(served.get("/api/v1/me").await.status, 401);
    let elsewhere = served.act("/api/v1/playground/members/ada/kill", "{}").await;
    assert_eq!(elsewhere.problem(), (403, "forbidden".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_reason_or_with_nonsense_nothing_happens() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.dashboard().await;
    served.settled(1).await;
    let long = format!(r#"{{"why": "x", "text": "{}"}}"#, "y".repeat(501));
    let tedious = format!(r#"{{"why": "{}"}}"#, "y".repeat(501));
    for (path, body) in [
        ("/api/v1/members/ada/drain", "{}"),
        ("/api/v1/members/ada/drain", r#"{"why": "  "}"#),
        ("/api/v1/members/ada/drain", "no json"),
        ("/api/v1/members/ada/drain", r#"{"why": "x", "more": 1}"#),
        ("/api/v1/members/%3Cb%3E/drain", r#"{"why": "x"}"#),
        ("/api/v1/members/ada/drain", tedious.as_str()),
        ("/api/v1/members/ada/note", long.as_str()),
    ] {
        assert_eq!(served.act(path, body).await.problem(), (400, "invalid".into()), "{path} {body:.30}");
    }
    let nobody = served.act("/api/v1/members/zoe/note", r#"{"why": "x", "text": "who?"}"#).await;
    assert_eq!(nobody.problem(), (409, "refused".into()));
    assert!(bed.audit().iter().all(|line| line["stage"] != "done"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_did_by_other_ways_is_in_the_timeline_once() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    served.settled(2).await;
    let mut cluster = Cluster::find(bed.store().await, &"orders".parse().unwrap()).await.unwrap().unwrap();
    let now_ms = cluster.wall_ms();
    let mut act = Act::new("bob@host", "command line", "drain ben", "new disk", now_ms).unwrap();
    act.came = Some(Came::Done);
    cluster.write_down(&act).await.unwrap();
    served.act("/api/v1/members/ada/note", r#"{"why": "night shift", "text": "slow"}"#).await.well();
    let deeds = loop {
        let deeds = served.get("/api/v1/timeline").await.well()["deeds"].clone();
        if deeds.as_array().unwrap().iter().any(|deed| deed["who"] == "bob@host") {
            break deeds;
        }
        Clock::boot().sleep(std::time::Duration::from_millis(50)).await;
    };
    // The margin was read after both: our own deed, which the store tells of too, is told once.
    assert_eq!(deeds.as_array().unwrap().len(), 2, "{deeds}");
    let told = ["who", "by", "deed", "member", "why"].map(|name| deeds[0][name].as_str().unwrap().to_owned());
    assert_eq!(told, ["bob@host", "command line", "drain", "ben", "new disk"]);
    assert_eq!((&deeds[1]["deed"], &deeds[1]["by"]), (&json!("note"), &json!("dashboard")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_is_not_on_the_move_is_not_called_back() {
    let bed = Testbed::new();
    let _members = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    served.settled(2).await;
    let done = served.act("/api/v1/shards/0/cancel", r#"{"why": "not now"}"#).await.well();
    assert_eq!(done["changed"], false);
    let nowhere = served.act("/api/v1/shards/99/cancel", r#"{"why": "not now"}"#).await;
    assert_eq!(nowhere.problem(), (409, "refused".into()));
    assert_eq!(served.ask("/api/v1/shards/0/cancel", r#"{"why": "not now"}"#).await.problem().0, 401);
}
