//! I7 for the page: whatever the records hold, the board takes what an onlooker saw of them, and everything it says is JSON.

use std::sync::Arc;

use tenure::cluster::WhatIf;
use tenure_core::message::{Reply, Versioned};
use tenure_core::moment::Moment;
use tenure_core::record::{Meta, Version};
use tenure_core::survey::Onlooker;
use tenure_fuzz::Target;

use super::{Board, Extras, Outside, PictureBase, Seen};
use crate::metrics::Page;
use crate::view::{Can, StorePlace};

const META: &str = r#"{"v":1,"lineage":"0f0e0d0c0b0a09080706050403020100","state":"ready","shards":4,"page_size":4,
    "ttl_max_ms":60000,"placement":"rendezvous","plan_version":1,"spread_zones":true}"#;
const PAGE: &str = r#"{"v":1,"lineage":"0f0e0d0c0b0a09080706050403020100","generation":9,
    "why":{"reason":"balance","author":"a","view":["a","b"]},
    "recent":[{"at_ms":1700000000000,"author":"a","step":"appointed","reason":"first owner","shards":"0-1,3"},
        {"author":"b","step":"succeeded","reason":"from a: balance","shards":"2"}],
    "lives":[["a","00000000000000000000000000000001",1],["b","00000000000000000000000000000002",3]],
    "holdings":[[0,1],[0,4,1,5],[1,2,7],[-1,0]]}"#;
const MEMBER: &str = r#"{"v":1,"line":"00000000000000000000000000000001","term":1,"process":"00000000000000000000000000000007",
    "seq":5,"state":"active","ttl_ms":10000,"zone":"z","weight":3,"version":"0.1.0","released":[[0,1]],"avoids":[3],
    "wants":[1],"stuck":[0],"drained":false,"at_ms":1700000000000}"#;
const AT_MS: u64 = 1_700_000_000_500;

/// A record may ask for more shards than are worth drawing each time.
const SHARDS_MAX: u32 = 10_000;

fn versioned(bytes: &[u8]) -> Versioned {
    Versioned { version: Version::new(bytes.len().to_string()), value: bytes.to_vec().into() }
}

fn seen(meta: &[u8], page: &[u8], member: &[u8]) -> Option<Seen> {
    let meta = Meta::decode(meta).ok().filter(|meta| meta.shards <= SHARDS_MAX)?;
    let (mut onlooker, now) = (Onlooker::new(meta.clone()), Moment::from_nanos(1));
    onlooker.page_read(now, 0, Reply::Found(versioned(page)));
    let members = [("a", member), ("b", MEMBER.as_bytes())];
    let listed = members.map(|(id, bytes)| (id.parse().unwrap(), versioned(bytes)));
    onlooker.listed(now, now, listed.into_iter().collect());
    Some(Seen { meta, survey: Arc::new(onlooker.survey(now, AT_MS)) })
}

fn whole() -> Seen {
    seen(META.as_bytes(), PAGE.as_bytes(), MEMBER.as_bytes()).unwrap()
}

/// Shows the whole cluster, the spoilt one and the whole one again, and asks for everything each time.
fn shows(spoilt: Option<Seen>) -> bool {
    let Some(spoilt) = spoilt else { return false };
    let store = StorePlace { kind: "memory", address: "memory".into() };
    let mut board = Board::new(AT_MS, PictureBase { cluster: "c".into(), store, can: Can::default() });
    let understood = spoilt.survey.problems.is_empty();
    for (turn, seen) in (0..).zip([whole(), spoilt.clone(), whole(), spoilt]) {
        let at_ms = AT_MS + turn * 7_000;
        let _ = WhatIf::default().outcome(&seen.meta, &seen.survey);
        board.saw(at_ms, seen, Extras::default());
        tell(&mut board, at_ms);
    }
    understood
}

fn tell(board: &mut Board, at_ms: u64) {
    board.count(at_ms, Outside::default());
    serde_json::to_string(&board.picture(at_ms)).expect("a picture is JSON");
    serde_json::to_string(&board.timeline(at_ms, 0, u64::MAX)).expect("a timeline is JSON");
    serde_json::to_string(&board.health(at_ms, 0, None)).expect("health is JSON");
    let mut page = Page::of(&"orders".parse().unwrap());
    board.figures(at_ms).add(&mut page);
    assert!(page.text().contains("tenure_cluster_seen{cluster=\"orders\"} 1.0"));
}

#[test]
fn fuzz_board_page() {
    let read = |bytes: &[u8]| shows(seen(META.as_bytes(), bytes, MEMBER.as_bytes()));
    Target::new("board-page", [PAGE]).run(read);
}

#[test]
fn fuzz_board_member() {
    let read = |bytes: &[u8]| shows(seen(META.as_bytes(), PAGE.as_bytes(), bytes));
    Target::new("board-member", [MEMBER]).run(read);
}

#[test]
fn fuzz_board_meta() {
    let read = |bytes: &[u8]| {
        let seen = seen(bytes, PAGE.as_bytes(), MEMBER.as_bytes());
        let understood = seen.is_some();
        shows(seen);
        understood
    };
    Target::new("board-meta", [META]).run(read);
}
