//! Who owns what, for anybody: the owner of a key, a shard, and what changes.

use serde_json::{Value, json};
use tenure_dashboard::Reading;

use crate::client::{Events, Request};
use crate::testbed::{SHARDS, TOKEN, Testbed, gate};

fn encoded(key: &[u8]) -> String {
    key.iter().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_of_a_key_is_the_one_that_a_router_finds() {
    let bed = Testbed::new();
    let (ada, ben) = (bed.member("ada").await, bed.member("ben").await);
    let served = bed.dashboard().await;
    let picture = served.settled(2).await;
    for key in [&b"order-7"[..], b"", "Gr\u{fc}\u{df}e & mehr".as_bytes(), b"a/b?c=d", b"\xff\x00\xfe"] {
        let told = served.get(&format!("/v1/owner?key={}", encoded(key))).await.well();
        let shard = ada.shard_of(key);
        assert_eq!((&told["shard"], &told["shards"]), (&json!(shard.0), &json!(SHARDS)), "{key:?}");
        let owner = picture["shards"]["owner"][shard.0 as usize].as_u64().unwrap() as usize;
        let id = picture["members"][owner]["id"].as_str().unwrap();
        assert_eq!((told["owner"].as_str(), told["state"].as_str()), (Some(id), Some("owned")), "{key:?}");
        assert_eq!(told["address"], format!("{id}.example:80"), "{key:?}");
        assert_eq!(told["epoch"], picture["shards"]["epoch"][shard.0 as usize], "{key:?}");
        assert!(told["since_ms"].is_u64() && told["seen_ago_ms"].is_u64(), "{told}");
        assert_eq!(served.get(&format!("/v1/shards/{}", shard.0)).await.well()["owner"], id);
    }
    drop((ada, ben));
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_that_make_no_sense_say_what_to_ask() {
    let bed = Testbed::new();
    let served = bed.dashboard().await;
    assert_eq!(served.get("/v1/owner?key=a").await.problem(), (503, "unavailable".into()));
    assert_eq!(served.get("/v1/events").await.problem(), (503, "unavailable".into()));
    let _ada = bed.member("ada").await;
    served.settled(1).await;
    assert_eq!(served.get("/v1/owner").await.problem(), (400, "invalid".into()));
    assert_eq!(served.get("/v1/shards/x").await.problem(), (400, "invalid".into()));
    assert_eq!(served.get("/v1/shards/8").await.problem(), (404, "not_found".into()));
    assert_eq!(served.get("/api/v1/owner?key=a").await.status, 404, "there is one way to ask");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_grows_old_and_its_owner_doubtful_while_the_store_is_away() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.dashboard().await;
    served.settled(1).await;
    let mut events = Events::of("/v1/events", served.address).await;
    served.outage.begin();
    let doubtful =
        |data: &Value| data["owners"].as_array().unwrap().iter().all(|one| one["state"] == "doubt");
    let told = events.until("changed", doubtful).await;
    assert_eq!(told["owners"].as_array().unwrap().len(), SHARDS);
    let answer = served.get("/v1/shards/0").await.well();
    assert_eq!((&answer["state"], &answer["owner"]), (&json!("doubt"), &json!("ada")));
    assert!(answer["seen_ago_ms"].as_u64() >= Some(1000), "{answer}");
    served.outage.end();
    events.until("changed", |data| data["owners"][0]["state"] == "owned").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_begin_with_everything_and_lead_to_what_is() {
    let bed = Testbed::new();
    let ada = bed.member("ada").await;
    let served = bed.dashboard().await;
    served.settled(1).await;
    let mut events = Events::of("/v1/events", served.address).await;
    let (name, all) = events.next().await.unwrap();
    assert_eq!((name.as_str(), &all["cluster"]), ("all", &json!("orders")));
    let mut owners = all["owners"].as_array().unwrap().clone();
    let known: Vec<_> = owners.iter().map(|one| (one["shard"].as_u64().unwrap(), &one["owner"])).collect();
    assert_eq!(known, (0..SHARDS as u64).zip([&json!("ada"); SHARDS]).collect::<Vec<_>>());

    let ben = bed.member("ben").await;
    let settled = |owners: &[Value]| {
        let of =
            |id: &str| owners.iter().filter(|one| one["owner"] == id && one.get("heir").is_none()).count();
        of("ada") == SHARDS / 2 && of("ben") == SHARDS / 2
    };
    while !settled(&owners) {
        let (name, data) = events.next().await.unwrap();
        for one in data["owners"].as_array().into_iter().flatten().filter(|_| name == "changed") {
            let place = one["shard"].as_u64().unwrap() as usize;
            assert!(
                one["epoch"].as_u64() >= owners[place]["epoch"].as_u64(),
                "{one} after {}",
                owners[place]
            );
            owners[place] = one.clone();
        }
    }
    let (_, again) = Events::of("/v1/events", served.address).await.next().await.unwrap();
    assert_eq!(again["owners"].as_array().unwrap(), &owners, "whoever comes later knows the same");
    served.dashboard.stop();
    while events.next().await.is_some() {}
    drop((ada, ben));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_looking_needs_a_token_asking_does_too() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let people = format!("eve {TOKEN} role=viewer\n");
    let served = bed.served(|builder| builder.gate(gate(&people).reading(Reading::Named))).await;
    for path in ["/v1/owner?key=a", "/v1/shards/0", "/v1/events"] {
        assert_eq!(served.get(path).await.problem(), (401, "unauthorised".into()), "{path}");
        let strange = Request::get(path).with("host", "evil.example").send(served.address).await;
        assert_eq!(strange.problem(), (403, "forbidden".into()), "{path}");
    }
    let bearer = format!("Bearer {TOKEN}");
    let asked = Request::get("/v1/shards/0").with("authorization", &bearer);
    while asked.send(served.address).await.status == 503 {
        tenure::clock::Clock::boot().sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(asked.send(served.address).await.well()["shard"], 0);
}
