//! I7 for records: whatever the bytes, reading them ends, with a record within its limits or with a short reason.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

use super::samples::{TTL_MAX, any_member, any_meta, any_page, any_value, id, meta};
use super::{BYTES_MAX, Incompatible, LedgerPage, MemberRecord, Meta, NUMBER_MAX, PAGE_SIZE_MAX, SHARDS_MAX};

/// Whatever was read is within the limits and can be written and read again; whatever was not has a short reason.
fn judge_meta(bytes: &[u8]) {
    match Meta::decode(bytes) {
        Ok(meta) => {
            assert!((1..=SHARDS_MAX).contains(&meta.shards) && (1..=PAGE_SIZE_MAX).contains(&meta.page_size));
            let last = meta.pages() - 1;
            assert!(meta.page_len(last) >= 1);
            assert_eq!(last * meta.page_size + meta.page_len(last), meta.shards);
            assert_eq!(Meta::decode(&meta.encode()).unwrap(), meta);
        }
        Err(refusal) => assert_short(&refusal),
    }
}

fn judge_member(bytes: &[u8]) {
    match MemberRecord::decode(&id("a"), bytes, TTL_MAX) {
        Ok(record) => {
            assert!((1..=NUMBER_MAX).contains(&record.term) && record.seq <= NUMBER_MAX);
            assert!(!record.ttl().is_zero() && record.ttl() <= TTL_MAX);
            assert_eq!(MemberRecord::decode(&id("a"), &record.encode(), TTL_MAX).unwrap(), record);
        }
        Err(refusal) => assert_short(&refusal),
    }
}

fn judge_page(bytes: &[u8], meta: &Meta) {
    match LedgerPage::decode(0, bytes, meta) {
        Ok(page) => {
            assert_eq!(page.holdings.len(), meta.page_len(0) as usize);
            assert!(page.holdings.iter().all(|holding| holding.makes_sense() && holding.top.0 <= NUMBER_MAX));
            assert_eq!(LedgerPage::decode(0, &page.encode(), meta).unwrap(), page);
        }
        Err(refusal) => assert_short(&refusal),
    }
}

fn assert_short(refusal: &Incompatible) {
    assert!(!refusal.why.is_empty() && refusal.why.chars().count() <= 300, "{refusal}");
}

/// A blow at bytes: cut some out, put some in, or overwrite some.
#[derive(Clone, Debug)]
struct Blow {
    at: Index,
    cut: usize,
    put: Vec<u8>,
}

fn any_blow() -> impl Strategy<Value = Blow> {
    let numbers =
        proptest::sample::select(vec!["-1", "1e999", "18446744073709551616", "0.5", "[", "}", "\"", ",null"]);
    let put = prop_oneof![vec(any::<u8>(), 0..6), numbers.prop_map(|text| text.as_bytes().to_vec())];
    (any::<Index>(), 0..12usize, put).prop_map(|(at, cut, put)| Blow { at, cut, put })
}

fn struck(bytes: &[u8], blows: &[Blow]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for blow in blows {
        let from = blow.at.index(bytes.len() + 1);
        let to = bytes.len().min(from + blow.cut);
        bytes.splice(from..to, blow.put.iter().copied());
    }
    bytes
}

/// Puts `value` in the place of one of the values in `root`, chosen by `at`.
fn grafted(bytes: &[u8], at: Index, value: &Value) -> Vec<u8> {
    let mut root: Value = serde_json::from_slice(bytes).unwrap();
    let mut chosen = at.index(count(&root));
    graft(&mut root, &mut chosen, value);
    serde_json::to_vec(&root).unwrap()
}

fn count(value: &Value) -> usize {
    let below: usize = match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    below + 1
}

/// Walks to the value that is `left` steps away; answers whether it was reached.
fn graft(here: &mut Value, left: &mut usize, value: &Value) -> bool {
    if *left == 0 {
        *here = value.clone();
        return true;
    }
    *left -= 1;
    match here {
        Value::Array(items) => items.iter_mut().any(|item| graft(item, left, value)),
        Value::Object(fields) => fields.values_mut().any(|field| graft(field, left, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arbitrary_bytes_are_refused(bytes in vec(any::<u8>(), 0..200)) {
        judge_meta(&bytes);
        judge_member(&bytes);
        judge_page(&bytes, &meta(4, 4));
    }

    #[test]
    fn arbitrary_json_is_refused(value in any_value()) {
        let bytes = value.to_string();
        prop_assert!(Meta::decode(bytes.as_bytes()).is_err());
        prop_assert!(MemberRecord::decode(&id("a"), bytes.as_bytes(), TTL_MAX).is_err());
        prop_assert!(LedgerPage::decode(0, bytes.as_bytes(), &meta(4, 4)).is_err());
    }

    #[test]
    fn struck_meta_is_understood_or_refused(meta in any_meta(), blows in vec(any_blow(), 1..4)) {
        judge_meta(&struck(&meta.encode(), &blows));
    }

    #[test]
    fn a_struck_member_record_is_understood_or_refused(record in any_member(), blows in vec(any_blow(), 1..4)) {
        judge_member(&struck(&record.encode(), &blows));
    }

    #[test]
    fn a_struck_page_is_understood_or_refused((meta, page) in any_page(), blows in vec(any_blow(), 1..4)) {
        judge_page(&struck(&page.encode(), &blows), &meta);
    }

    #[test]
    fn grafted_meta_is_understood_or_refused(meta in any_meta(), at in any::<Index>(), value in any_value()) {
        judge_meta(&grafted(&meta.encode(), at, &value));
    }

    #[test]
    fn a_grafted_member_record_is_understood_or_refused(
        record in any_member(), at in any::<Index>(), value in any_value()
    ) {
        judge_member(&grafted(&record.encode(), at, &value));
    }

    #[test]
    fn a_grafted_page_is_understood_or_refused(
        (meta, page) in any_page(), at in any::<Index>(), value in any_value()
    ) {
        judge_page(&grafted(&page.encode(), at, &value), &meta);
    }
}

#[test]
fn a_record_of_endless_size_is_not_even_parsed() {
    let endless = vec![b' '; BYTES_MAX + 1];
    let refusal = Meta::decode(&endless).unwrap_err();
    assert!(refusal.why.contains("bytes"), "{refusal}");
}

#[test]
fn endless_nesting_is_refused() {
    let mut bytes = br#"{"v":1,"later":"#.to_vec();
    bytes.extend(std::iter::repeat_n(b'[', 100_000));
    judge_meta(&bytes);
    judge_member(&bytes);
    judge_page(&bytes, &meta(4, 4));
}

#[test]
fn a_long_quote_does_not_make_a_long_reason() {
    let long = "x".repeat(100_000);
    let bytes = format!(r#"{{"v":1,"lineage":"{long}","state":"{long}"}}"#);
    judge_meta(bytes.as_bytes());
}
