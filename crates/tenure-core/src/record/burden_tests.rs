//! Records that would hurt whoever uses them: work and memory stay in proportion to their bytes, and what is for people alone
//! spoils nothing.

use serde_json::{Value, json};

use super::samples::{TTL_MAX, id, life, member, meta, owned, page};
use super::{
    BYTES_MAX, LedgerPage, META_BYTES_MAX, MemberRecord, Meta, PAGE_SIZE_MAX, PAGES_MAX, SHARDS_MAX,
    UNKNOWN_MAX,
};
use crate::ids::ShardId;

fn page_with(field: &str, value: Value) -> Result<LedgerPage, String> {
    let page = page(vec![owned(&life("a", 1, 1), 1), owned(&life("b", 2, 1), 1)]);
    let mut fields: Value = serde_json::from_slice(&page.encode()).unwrap();
    fields[field] = value;
    LedgerPage::decode(0, fields.to_string().as_bytes(), &meta(2, 2)).map_err(|refusal| refusal.why)
}

fn change(shards: &str) -> Value {
    json!({ "author": "a", "step": "appointed", "reason": "first owner", "shards": shards })
}

#[test]
fn a_change_that_is_not_understood_is_left_out_and_the_page_stays() {
    for odd in [
        change("9-3"),
        change("0-4294967296"),
        change("1,1"),
        json!({ "author": "a", "step": "lent", "reason": "a later step", "shards": "1" }),
        json!({ "author": "not a name", "step": "appointed", "reason": "", "shards": "1" }),
        json!({ "author": "a", "step": "appointed", "reason": "x".repeat(2000), "shards": "1" }),
        json!({ "author": "a", "step": "appointed", "reason": "no shards" }),
        json!(7),
        json!(null),
    ] {
        let page = page_with("recent", json!([change("0"), odd, change("1")])).unwrap();
        let told: Vec<String> = page.recent.iter().map(|change| change.shards.to_string()).collect();
        assert_eq!(told, ["0", "1"], "{odd}");
    }
}

#[test]
fn hearsay_of_another_shape_is_none() {
    for odd in [json!(7), json!("x"), json!({}), json!(null), json!([[[]]])] {
        assert_eq!(page_with("recent", odd.clone()).unwrap().recent, []);
        assert_eq!(page_with("why", odd).unwrap().why, None);
    }
    let endless = json!({ "reason": "x".repeat(2000), "author": "a", "view": [] });
    assert_eq!(page_with("why", endless).unwrap().why, None);
}

#[test]
fn of_many_changes_the_last_are_read() {
    let page = page_with("recent", (0..1000).map(|number| change(&number.to_string())).collect()).unwrap();
    let told: Vec<String> = page.recent.iter().map(|change| change.shards.to_string()).collect();
    assert_eq!(told, (984..1000).map(|number| number.to_string()).collect::<Vec<_>>());
}

/// Half a megabyte of ranges that each cover everything took seven seconds to go through, for each look.
#[test]
fn however_many_ranges_a_page_has_each_shard_is_gone_through_once_for_each_change() {
    let overlapping = vec!["0-99999"; 60_000].join(",");
    let disjoint = (0..60_000).map(|at| format!("{}-{}", at * 3, at * 3 + 1)).collect::<Vec<_>>().join(",");
    let page = page_with("recent", json!([change(&overlapping), change(&disjoint)])).unwrap();
    let covered = |shards: &super::Ranges| -> u64 { shards.runs().map(|(a, b)| u64::from(b - a) + 1).sum() };
    let counted: Vec<u64> = page.recent.iter().map(|change| covered(&change.shards)).collect();
    assert_eq!(counted, [120_000]);
}

#[test]
fn a_list_of_shards_is_in_order_and_names_each_once() {
    let record = r#""avoids":[9,1,9],"wants":[3,2,3],"stuck":[5,4,5],"#;
    let text =
        String::from_utf8(member().encode().to_vec()).unwrap().replacen('{', &format!("{{{record}"), 1);
    let read = MemberRecord::decode(&id("a"), text.as_bytes(), TTL_MAX).unwrap();
    let shards = |numbers: [u32; 2]| numbers.map(ShardId).to_vec();
    assert_eq!((read.avoids, read.wants, read.stuck), (shards([1, 9]), shards([2, 3]), shards([4, 5])));
}

#[test]
fn more_rows_or_lives_than_any_page_has_are_refused_before_they_are_kept() {
    let row = json!([0, 1]);
    let rows = vec![row; PAGE_SIZE_MAX as usize + 1];
    assert!(page_with("holdings", rows.into()).unwrap_err().contains("at most 32768 items"));
    let name = json!(["a", "00000000000000000000000000000001", 1]);
    let lives = vec![name; 2 * PAGE_SIZE_MAX as usize + 1];
    assert!(page_with("lives", lives.into()).unwrap_err().contains("at most 65536 items"));
}

#[test]
fn more_unknown_fields_than_any_version_has_are_refused() {
    let with = |record: &[u8], count: usize| {
        let mut fields: Value = serde_json::from_slice(record).unwrap();
        (0..count).for_each(|number| fields[format!("later_{number}")] = json!(number));
        fields.to_string().into_bytes()
    };
    let page = page(vec![owned(&life("a", 1, 1), 1)]).encode();
    for (count, read) in [(UNKNOWN_MAX, true), (UNKNOWN_MAX + 1, false)] {
        assert_eq!(Meta::decode(&with(&meta(4, 4).encode(), count)).is_ok(), read);
        assert_eq!(MemberRecord::decode(&id("a"), &with(&member().encode(), count), TTL_MAX).is_ok(), read);
        assert_eq!(LedgerPage::decode(0, &with(&page, count), &meta(1, 1)).is_ok(), read);
    }
}

#[test]
fn a_record_beyond_its_bytes_is_not_looked_into() {
    let padded = |record: &[u8], len: usize| [record, &vec![b' '; len - record.len()]].concat();
    let (small, great) = (meta(4, 4).encode(), member().encode());
    assert!(Meta::decode(&padded(&small, META_BYTES_MAX)).is_ok());
    assert!(Meta::decode(&padded(&small, META_BYTES_MAX + 1)).unwrap_err().why.contains("bytes, more than"));
    assert!(MemberRecord::decode(&id("a"), &padded(&great, BYTES_MAX), TTL_MAX).is_ok());
    let refusal = MemberRecord::decode(&id("a"), &padded(&great, BYTES_MAX + 1), TTL_MAX).unwrap_err();
    assert!(refusal.why.contains("bytes, more than"), "{refusal}");
}

#[test]
fn a_ledger_of_more_pages_than_anybody_would_read_is_refused() {
    let refusal = Meta::decode(&meta(SHARDS_MAX, 1).encode()).unwrap_err();
    assert!(refusal.why.contains("pages, more than"), "{refusal}");
    assert_eq!(Meta::decode(&meta(PAGES_MAX, 1).encode()).unwrap().pages(), PAGES_MAX);
}
