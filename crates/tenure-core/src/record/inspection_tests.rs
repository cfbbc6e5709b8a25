//! What is wrong with records, and what may be done about it.

use serde_json::{Value, json};

use super::samples::{id, life, member, meta, owned, page, promised};
use super::{Blemish, FORMAT, Key, LedgerPage, Meta, NUMBER_MAX, Remedy, inspect};

fn whole_page() -> LedgerPage {
    page(vec![owned(&life("a", 1, 1), 7), promised(&life("a", 1, 1), 3, &life("b", 2, 1), 4)])
}

fn the_meta() -> Meta {
    meta(2, 2)
}

fn with(record: &[u8], fields: Value) -> Vec<u8> {
    let mut record: Value = serde_json::from_slice(record).unwrap();
    fields.as_object().unwrap().iter().for_each(|(name, value)| record[name] = value.clone());
    record.to_string().into_bytes()
}

fn of_page(fields: Value) -> Option<Blemish> {
    inspect(&Key::Page(0), &with(&whole_page().encode(), fields), Some(&the_meta()))
}

fn of_member(fields: Value) -> Option<Blemish> {
    inspect(&Key::Member(id("a")), &with(&member().encode(), fields), Some(&the_meta()))
}

/// The page that is written instead.
fn mended(blemish: &Blemish) -> LedgerPage {
    let Remedy::Rewrite(bytes) = &blemish.remedy else { panic!("{blemish:?}") };
    LedgerPage::decode(0, bytes, &the_meta()).unwrap()
}

#[test]
fn whole_records_have_no_blemish() {
    assert_eq!(inspect(&Key::Meta, &the_meta().encode(), None), None);
    assert_eq!(of_page(json!({})), None);
    assert_eq!(of_page(json!({ "why": null, "recent": [], "later": { "x": 1 } })), None);
    assert_eq!(of_member(json!({ "later": [1] })), None);
}

#[test]
fn what_a_page_says_to_people_is_struck_out_and_all_else_stays() {
    let good = json!({ "author": "a", "step": "appointed", "reason": "first owner", "shards": "0" });
    let bad = json!({ "author": "a", "step": "appointed", "reason": "first owner", "shards": "9-3" });
    let found = of_page(json!({ "recent": [good, bad], "later": { "x": 1 } })).unwrap();
    assert!(found.what.starts_with("1 of the changes"), "{found:?}");
    let page = mended(&found);
    assert_eq!((page.generation, page.recent.len(), page.extra.is_empty()), (4, 1, false));
    assert_eq!(page.holdings, whole_page().holdings);
    let found = of_page(json!({ "why": "because" })).unwrap();
    assert_eq!((mended(&found).why, mended(&found).holdings), (None, whole_page().holdings));
}

#[test]
fn a_page_that_only_what_nobody_knows_makes_unreadable_is_freed_of_it() {
    let fields: Value = (0..300)
        .map(|number| (format!("later_{number}"), json!(0)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let page = mended(&of_page(fields).unwrap());
    assert_eq!((page.generation, page.holdings, page.extra.is_empty()), (4, whole_page().holdings, true));
}

#[test]
fn nobody_guesses_who_owns_what() {
    for fields in [
        json!({ "holdings": [[0, 7], [0, 0]] }),
        json!({ "holdings": [[0, 7]] }),
        json!({ "lives": [] }),
        json!({ "lineage": "00000000000000000000000000000001" }),
        json!({ "generation": NUMBER_MAX + 1 }),
        json!({ "v": FORMAT + 1 }),
    ] {
        let found = of_page(fields.clone()).unwrap();
        assert!(matches!(found.remedy, Remedy::Person(_)), "{fields}: {found:?}");
    }
    let nothing = inspect(&Key::Page(0), b"nothing", Some(&the_meta())).unwrap();
    assert!(matches!(nothing.remedy, Remedy::Person(_)));
}

#[test]
fn a_page_that_cannot_be_written_any_more_is_left_to_people() {
    let found = of_page(json!({ "generation": NUMBER_MAX, "why": "because" })).unwrap();
    assert!(matches!(found.remedy, Remedy::Person(_)), "{found:?}");
}

#[test]
fn a_members_record_is_removed_unless_its_life_could_outlast_the_wait() {
    assert_eq!(of_member(json!({ "seq": -1 })).unwrap().remedy, Remedy::Remove);
    assert_eq!(inspect(&Key::Member(id("a")), b"\xff", Some(&the_meta())).unwrap().remedy, Remedy::Remove);
    let kept =
        [json!({ "ttl_ms": 60_001 }), json!({ "v": FORMAT + 1 }), json!({ "ttl_ms": 60_001, "seq": -1 })];
    for fields in kept {
        assert!(matches!(of_member(fields.clone()).unwrap().remedy, Remedy::Person(_)), "{fields}");
    }
    let without_meta = inspect(&Key::Member(id("a")), b"\xff", None).unwrap();
    assert!(matches!(without_meta.remedy, Remedy::Person(_)));
}

#[test]
fn meta_is_left_to_people() {
    let found = inspect(&Key::Meta, b"{}", None).unwrap();
    assert!(
        matches!(found.remedy, Remedy::Person(_)) && found.means.contains("find the cluster"),
        "{found:?}"
    );
}
