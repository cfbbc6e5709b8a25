//! Golden files: what version 1 wrote is read for ever, and this build still writes it byte for byte.
//!
//! A golden file is never changed. A new format gets a new folder beside `v1`, and keeps these tests as they are.

use serde_json::json;

use super::samples::{LINEAGE, TTL_MAX, id, life, member, meta, owned, page, promised};
use super::{
    Change, Formation, Holding, LedgerPage, MemberRecord, MemberState, Meta, Ranges, StepTaken, Unknown, Why,
};
use crate::ids::{Epoch, ShardId};

fn assert_meta(golden: &str, expected: &Meta) {
    assert_eq!(&Meta::decode(golden.as_bytes()).unwrap(), expected);
    assert_eq!(String::from_utf8_lossy(&expected.encode()), golden.trim_end());
}

fn assert_member(golden: &str, expected: &MemberRecord) {
    assert_eq!(&MemberRecord::decode(&id("a"), golden.as_bytes(), TTL_MAX).unwrap(), expected);
    assert_eq!(String::from_utf8_lossy(&expected.encode()), golden.trim_end());
}

fn assert_page(golden: &str, expected: &LedgerPage) {
    let meta = meta(u32::try_from(expected.holdings.len()).unwrap(), 4096);
    assert_eq!(&LedgerPage::decode(0, golden.as_bytes(), &meta).unwrap(), expected);
    assert_eq!(String::from_utf8_lossy(&expected.encode()), golden.trim_end());
}

#[test]
fn meta_of_a_forming_cluster_is_read_for_ever() {
    let expected = Meta { state: Formation::Forming, ..meta(256, 4096) };
    assert_meta(include_str!("../../golden/v1/meta-forming.json"), &expected);
}

#[test]
fn meta_of_a_ready_cluster_is_read_for_ever() {
    let expected = Meta { spread_zones: true, placement: "ring".into(), ..meta(100_000, 4096) };
    assert_meta(include_str!("../../golden/v1/meta-ready.json"), &expected);
}

#[test]
fn the_shortest_member_record_is_read_for_ever() {
    assert_member(include_str!("../../golden/v1/member-active.json"), &member());
}

#[test]
fn a_leaving_member_with_every_field_is_read_for_ever() {
    let expected = MemberRecord {
        state: MemberState::Leaving,
        term: 12,
        seq: 9_007_199_254_740_991,
        address: Some("10.1.2.3:7400".into()),
        zone: Some("zürich-1".into()),
        weight: 3,
        version: "0.1.0".into(),
        released: [(ShardId(0), Epoch(4)), (ShardId(255), Epoch(4_294_967_297))].into_iter().collect(),
        avoids: vec![ShardId(9)],
        wants: vec![ShardId(1), ShardId(2)],
        stuck: vec![ShardId(5)],
        ..member()
    };
    assert_member(include_str!("../../golden/v1/member-leaving.json"), &expected);
}

#[test]
fn a_member_that_an_operator_drains_is_read_for_ever() {
    let expected = MemberRecord { drained: true, ..member() };
    assert_member(include_str!("../../golden/v1/member-drained.json"), &expected);
}

#[test]
fn a_member_that_says_the_time_is_read_for_ever() {
    let expected = MemberRecord { at_ms: Some(1_700_000_000_123), ..member() };
    assert_member(include_str!("../../golden/v1/member-timed.json"), &expected);
}

#[test]
fn closed_members_are_read_for_ever() {
    let deposed = MemberRecord { state: MemberState::Deposed, by: Some(id("b")), ..member() };
    assert_member(include_str!("../../golden/v1/member-deposed.json"), &deposed);
    let gone = MemberRecord { state: MemberState::Gone, ..member() };
    assert_member(include_str!("../../golden/v1/member-gone.json"), &gone);
}

#[test]
fn a_blank_page_is_read_for_ever() {
    assert_page(include_str!("../../golden/v1/page-blank.json"), &LedgerPage::blank(LINEAGE, 3));
}

#[test]
fn a_page_with_every_kind_of_holding_is_read_for_ever() {
    let (a, b) = (life("a", 0xa, 1), life("node-2.example", 0xb, 3));
    let why = Why { reason: "balance".into(), author: id("a"), view: vec![id("a"), id("node-2.example")] };
    let holdings = vec![
        Holding::default(),
        Holding { top: Epoch(4), ..Holding::default() },
        owned(&a, 1),
        Holding { top: Epoch(5), ..owned(&b, 3) },
        promised(&a, 2, &b, 3),
        Holding { top: Epoch(9), ..promised(&b, 6, &a, 8) },
    ];
    let expected = LedgerPage { why: Some(why), generation: 41, ..page(holdings) };
    assert_page(include_str!("../../golden/v1/page-mixed.json"), &expected);
}

#[test]
fn a_page_that_remembers_its_changes_is_read_for_ever() {
    let given = Change {
        at_ms: Some(1_700_000_000_123),
        author: id("a"),
        step: StepTaken::Appointed,
        reason: "first owner".into(),
        shards: Ranges::of([ShardId(0), ShardId(1)]),
    };
    let promised =
        Change { at_ms: None, step: StepTaken::Promised, reason: "balance".into(), ..given.clone() };
    let a = life("a", 0xa, 1);
    let expected = LedgerPage { recent: vec![given, promised], ..page(vec![owned(&a, 1), owned(&a, 1)]) };
    assert_page(include_str!("../../golden/v1/page-recent.json"), &expected);
}

#[test]
fn fields_of_a_later_version_are_kept_byte_for_byte() {
    let later = json!({ "later": { "list": [1, 2.5, null], "text": "§" } });
    let extra: Unknown = later.as_object().unwrap().clone().into_iter().collect();
    let member = MemberRecord { extra: extra.clone(), ..member() };
    assert_member(include_str!("../../golden/v1/member-later-fields.json"), &member);
    let meta = Meta { extra: extra.clone(), ..meta(16, 16) };
    assert_meta(include_str!("../../golden/v1/meta-later-fields.json"), &meta);
    let page = LedgerPage { extra, ..page(vec![owned(&life("a", 0xa, 1), 1)]) };
    assert_page(include_str!("../../golden/v1/page-later-fields.json"), &page);
}
