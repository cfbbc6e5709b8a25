//! The edges of what is understood: one step inside is read, one step outside is refused, with its reason.

use std::time::Duration;

use serde_json::{Value, json};

use super::samples::{LINEAGE, TTL_MAX, id, life, member, meta, owned, page};
use super::{
    FORMAT, Holding, Key, LedgerPage, MemberRecord, Meta, NUMBER_MAX, PAGE_SIZE_MAX, SHARDS_MAX, TTL_MAX_MS,
};
use crate::ids::{Epoch, MemberId, ShardId};

/// `record` with one field put in or replaced.
fn with(record: &[u8], field: &str, value: Value) -> Vec<u8> {
    let mut fields: Value = serde_json::from_slice(record).unwrap();
    fields[field] = value;
    fields.to_string().into_bytes()
}

fn meta_with(field: &str, value: Value) -> Result<Meta, String> {
    Meta::decode(&with(&meta(256, 64).encode(), field, value)).map_err(|refusal| refusal.to_string())
}

fn member_with(field: &str, value: Value) -> Result<MemberRecord, String> {
    let bytes = with(&member().encode(), field, value);
    MemberRecord::decode(&id("a"), &bytes, TTL_MAX).map_err(|refusal| refusal.to_string())
}

fn page_with(field: &str, value: Value) -> Result<LedgerPage, String> {
    let page = page(vec![owned(&life("a", 1, 1), 1), owned(&life("b", 2, 1), 1)]);
    let bytes = with(&page.encode(), field, value);
    LedgerPage::decode(0, &bytes, &meta(2, 2)).map_err(|refusal| refusal.to_string())
}

fn row(numbers: Value) -> Result<Holding, String> {
    page_with("holdings", json!([numbers, [-1, 0]])).map(|page| page.holdings[0].clone())
}

#[test]
fn a_later_format_is_refused_by_its_number() {
    let later = json!(FORMAT + 1);
    for refusal in [
        meta_with("v", later.clone()).unwrap_err(),
        member_with("v", later.clone()).unwrap_err(),
        page_with("v", later).unwrap_err(),
    ] {
        assert!(refusal.contains("format 2 is not known here"), "{refusal}");
    }
}

#[test]
fn a_later_format_of_another_shape_is_refused_by_its_number_too() {
    let bytes = br#"{"v":2,"holdings":"elsewhere"}"#;
    let refusal = LedgerPage::decode(0, bytes, &meta(2, 2)).unwrap_err();
    assert!(refusal.why.contains("format 2 is not known here"), "{refusal}");
}

#[test]
fn format_zero_and_no_format_are_refused() {
    assert!(meta_with("v", json!(0)).is_err());
    assert!(member_with("v", json!(0)).is_err());
    assert!(page_with("v", Value::Null).is_err());
}

#[test]
fn a_lease_may_be_as_long_as_the_cluster_allows_and_no_longer() {
    assert!(member_with("ttl_ms", json!(60_000)).is_ok());
    let refusal = member_with("ttl_ms", json!(60_001)).unwrap_err();
    assert!(refusal.contains("60001 ms") && refusal.contains("60s"), "{refusal}");
    assert!(member_with("ttl_ms", json!(0)).is_err());
    assert!(member_with("ttl_ms", json!(u64::MAX)).is_err());
}

#[test]
fn the_same_lease_is_refused_where_the_cluster_allows_less() {
    let bytes = member().encode();
    assert!(MemberRecord::decode(&id("a"), &bytes, Duration::from_secs(10)).is_ok());
    assert!(MemberRecord::decode(&id("a"), &bytes, Duration::from_millis(9_999)).is_err());
}

#[test]
fn numbers_are_read_up_to_the_limit() {
    for field in ["term", "seq"] {
        assert!(member_with(field, json!(NUMBER_MAX)).is_ok());
        assert!(member_with(field, json!(NUMBER_MAX + 1)).is_err());
        assert!(member_with(field, json!(u64::MAX)).is_err());
        assert!(member_with(field, json!(-1)).is_err());
        assert!(member_with(field, json!(1.0)).is_err());
    }
    assert!(member_with("term", json!(0)).is_err());
    assert!(member_with("seq", json!(0)).is_ok());
    assert!(page_with("generation", json!(NUMBER_MAX)).is_ok());
    assert!(page_with("generation", json!(NUMBER_MAX + 1)).is_err());
}

#[test]
fn released_epochs_are_read_up_to_the_limit() {
    assert!(member_with("released", json!([[u32::MAX, NUMBER_MAX]])).is_ok());
    assert!(member_with("released", json!([[0, NUMBER_MAX + 1]])).is_err());
    assert!(member_with("released", json!([[u64::from(u32::MAX) + 1, 1]])).is_err());
    assert!(member_with("released", json!([[1]])).is_err());
    assert!(member_with("released", json!([[2, 1, 3]])).is_err());
    assert!(member_with("released", json!([[1, 2, 3, 4]])).is_err());
}

#[test]
fn releases_are_found_in_whatever_order_they_were_written() {
    let record = member_with("released", json!([[7, 2], [1, 9], [7, 1], [7, 2]])).unwrap();
    assert_eq!(record.released.runs().count(), 3);
    for (shard, epoch) in [(7, 2), (1, 9), (7, 1)] {
        assert!(record.has_released(ShardId(shard), Epoch(epoch)));
    }
    assert!(!record.has_released(ShardId(7), Epoch(3)));
    assert!(!record.has_released(ShardId(1), Epoch(2)));
}

#[test]
fn clusters_have_one_to_two_million_shards() {
    assert!(meta_with("shards", json!(0)).is_err());
    assert!(meta_with("shards", json!(1)).is_ok());
    assert!(meta_with("shards", json!(SHARDS_MAX)).is_ok());
    assert!(meta_with("shards", json!(SHARDS_MAX + 1)).is_err());
}

#[test]
fn pages_and_leases_have_limits() {
    assert!(meta_with("page_size", json!(0)).is_err());
    assert!(meta_with("page_size", json!(PAGE_SIZE_MAX)).is_ok());
    assert!(meta_with("page_size", json!(PAGE_SIZE_MAX + 1)).is_err());
    assert!(meta_with("ttl_max_ms", json!(0)).is_err());
    assert!(meta_with("ttl_max_ms", json!(TTL_MAX_MS)).is_ok());
    assert!(meta_with("ttl_max_ms", json!(TTL_MAX_MS + 1)).is_err());
}

#[test]
fn the_last_page_holds_what_is_left() {
    let meta = meta(10, 4);
    assert_eq!(meta.pages(), 3);
    let lens: Vec<u32> = [0, 1, 2, 3, u32::MAX].iter().map(|number| meta.page_len(*number)).collect();
    assert_eq!(lens, [4, 4, 2, 0, 0]);
}

#[test]
fn a_page_that_the_cluster_does_not_have_is_refused() {
    let bytes = page(Vec::new()).encode();
    for number in [2, u32::MAX] {
        let refusal = LedgerPage::decode(number, &bytes, &meta(8, 4)).unwrap_err();
        assert_eq!(refusal.key, Key::Page(number));
        assert!(refusal.why.contains("has 2 pages"), "{refusal}");
    }
}

#[test]
fn a_page_of_another_founding_is_refused() {
    let other = format!("{:032x}", LINEAGE.0 + 1);
    assert!(page_with("lineage", json!(other)).unwrap_err().contains("it is of lineage"));
}

#[test]
fn a_page_of_the_wrong_length_is_refused() {
    assert!(page_with("holdings", json!([[0, 1]])).unwrap_err().contains("1 holdings, not 2"));
    assert!(page_with("holdings", json!([[0, 1], [0, 1], [0, 1]])).is_err());
}

#[test]
fn rows_mean_what_the_ledger_can_write() {
    assert_eq!(row(json!([-1, 0])).unwrap(), Holding::default());
    assert_eq!(row(json!([-1, 0, 9])).unwrap().top, Epoch(9));
    assert_eq!(row(json!([0, 7])).unwrap().top, Epoch(7));
    assert_eq!(row(json!([0, 7, 9])).unwrap().top, Epoch(9));
    assert_eq!(row(json!([0, 7, 1, 8])).unwrap().top, Epoch(8));
    assert_eq!(row(json!([0, 7, 1, 8, 9])).unwrap().top, Epoch(9));
    assert_eq!(row(json!([0, NUMBER_MAX])).unwrap().epoch, Epoch(NUMBER_MAX));
}

#[test]
fn rows_that_no_step_leads_to_are_refused() {
    for senseless in [
        json!([-1, 1]),             // an epoch, and nobody has it
        json!([0, 0]),              // an owner without an epoch
        json!([0, 5, 4]),           // top below the owner's epoch
        json!([0, 5, 1, 5]),        // the heir's epoch is the owner's
        json!([0, 5, 1, 4, 6]),     // the heir's epoch is older
        json!([0, 5, 1, 7, 6]),     // top below the heir's epoch
        json!([-1, 0, 1, 1]),       // an heir of nobody
        json!([2, 1]),              // a life that the page does not name
        json!([0, 1, 2, 2]),        // an heir that the page does not name
        json!([-2, 1]),             // no life has that number
        json!([0, -1]),             // no epoch is negative
        json!([0, NUMBER_MAX + 1]), // beyond every limit
        json!([0, u64::MAX]),       // beyond what the row can hold
        json!([0, 1.5]),            // no epoch is broken
        json!([0, 1, 1, 2, 3, 4]),  // too long
        json!([0]),                 // too short
        json!([]),
        json!("0,1"),
        json!(null),
    ] {
        assert!(row(senseless.clone()).is_err(), "{senseless} was understood");
    }
}

#[test]
fn a_refused_row_is_named() {
    assert!(page_with("holdings", json!([[0, 1], [0, 0]])).unwrap_err().contains("holding 1 makes no sense"));
}

#[test]
fn a_life_named_twice_is_one_life() {
    let line = "00000000000000000000000000000001";
    let twice = json!([["a", line, 1], ["a", line, 1]]);
    let page = page_with("lives", twice).unwrap();
    assert_eq!(page.holdings[0].owner, page.holdings[1].owner);
    let written: Value = serde_json::from_slice(&page.encode()).unwrap();
    assert_eq!(written["lives"].as_array().unwrap().len(), 1);
}

#[test]
fn a_life_without_a_term_is_refused() {
    let line = "00000000000000000000000000000001";
    for term in [json!(0), json!(NUMBER_MAX + 1), json!(-1), json!("1")] {
        assert!(page_with("lives", json!([["a", line, term], ["b", line, 1]])).is_err());
    }
}

#[test]
fn random_bits_have_exactly_one_spelling() {
    for odd in ["", "1", "0000000000000000000000000000000A", "+000000000000000000000000000000a", "é"] {
        assert!(member_with("line", json!(odd)).is_err(), "{odd:?} was understood");
    }
}

#[test]
fn odd_member_ids_are_refused() {
    for odd in ["", "a b", "a/b", "../a", ".a", "-a", "é", "a\n", "a\0", &"x".repeat(64)] {
        assert!(odd.parse::<MemberId>().is_err(), "{odd:?} was taken");
        assert!(member_with("by", json!(odd)).is_err(), "{odd:?} was understood");
        assert!(Key::parse(&format!("members/{odd}")).is_none());
    }
    for plain in ["a", "A-1", "node-2.example_com", &"x".repeat(63)] {
        assert!(plain.parse::<MemberId>().is_ok());
    }
}

#[test]
fn keys_are_spelled_in_one_way() {
    for odd in
        ["ledger/0", "ledger/000001", "ledger/+0001", "ledger/", "ledger/99999999999", "Meta", "members/"]
    {
        assert_eq!(Key::parse(odd), None, "{odd}");
    }
    assert_eq!(Key::parse("ledger/00007"), Some(Key::Page(7)));
}

#[test]
fn a_field_that_is_there_twice_is_refused() {
    for (record, field) in [(member().encode(), "term"), (member().encode(), "released")] {
        let twice = doubled(&record, field);
        assert!(MemberRecord::decode(&id("a"), &twice, TTL_MAX).is_err(), "{field}");
    }
    assert!(Meta::decode(&doubled(&meta(4, 4).encode(), "lineage")).is_err());
    let page = page(vec![Holding::default(); 4]).encode();
    for field in ["v", "lineage", "generation", "lives", "holdings", "why"] {
        assert!(LedgerPage::decode(0, &doubled(&page, field), &meta(4, 4)).is_err(), "{field}");
    }
}

/// `record` with `field` put in twice, with the value that it has.
fn doubled(record: &[u8], field: &str) -> Vec<u8> {
    let fields: Value = serde_json::from_slice(record).unwrap();
    let value = fields.get(field).cloned().unwrap_or(Value::Array(Vec::new()));
    let value = if field == "why" { Value::Null } else { value };
    let mut rest = fields.as_object().unwrap().clone();
    rest.remove(field);
    let rest = Value::Object(rest).to_string();
    format!(r#"{{"{field}":{value},"{field}":{value},{}"#, &rest[1..]).into_bytes()
}
