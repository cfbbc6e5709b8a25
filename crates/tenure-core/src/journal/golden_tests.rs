//! What is stored can be read for ever: each shape has a golden file, which must decode to what it says and encode to itself.

use std::fs;
use std::path::Path;

use bytes::Bytes;

use crate::ids::{Epoch, Lineage, ShardId};

use super::entry::Place;
use super::*;

fn place() -> Place {
    Place { journal: "carts".parse().unwrap(), shard: ShardId(3) }
}

fn author() -> Author {
    Author { lineage: Lineage(0xf84099295a1b), epoch: Epoch(7), run: Run(0x70a1) }
}

/// The golden bytes; written anew where `TENURE_GOLDEN=write` asks for it.
fn golden(name: &str, encoded: &Bytes) -> Bytes {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/journal").join(name);
    if std::env::var_os("TENURE_GOLDEN").is_some_and(|wish| wish == "write") {
        fs::write(&path, encoded).unwrap();
    }
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into()
}

fn batch() -> Entry {
    let record = |key: Option<&str>, body: &'static [u8]| Record {
        key: key.map(str::to_owned),
        version: 1,
        body: Bytes::from_static(body),
    };
    let records = vec![
        record(Some("cart-9"), br#"{"added": "apples","n":1.50}"#),
        record(None, b"\x00\x01\xff"),
        record(Some("a \"quoted\" key"), b"{\"a\":\n1}"),
        record(None, b""),
    ];
    Entry { seq: Seq(43), author: author(), at_ms: 1_767_225_600_000, kind: Kind::Batch, records }
}

#[test]
fn an_entry_with_bodies_of_every_kind_is_kept_byte_for_byte() {
    let bytes = batch().encode(&place());
    assert_eq!(golden("batch.jsonl", &bytes), bytes);
    assert_eq!(Entry::decode(&place(), Seq(43), &bytes), Ok(batch()));
}

#[test]
fn a_fence_is_an_entry_without_records() {
    let fence = Entry { seq: Seq(42), kind: Kind::Fence, records: Vec::new(), ..batch() };
    let bytes = fence.encode(&place());
    assert_eq!(golden("fence.jsonl", &bytes), bytes);
    assert_eq!(Entry::decode(&place(), Seq(42), &bytes), Ok(fence));
}

#[test]
fn an_adoption_is_a_fence_that_names_both_foundings() {
    let adoption = Entry::adoption(Seq(44), Lineage(0x01d), author().lineage, 1_767_225_600_000);
    let bytes = adoption.encode(&place());
    assert_eq!(golden("adoption.jsonl", &bytes), bytes);
    assert_eq!(Entry::decode(&place(), Seq(44), &bytes), Ok(adoption));
}

#[test]
fn a_part_keeps_its_state_as_it_is() {
    let state = Bytes::from_static(b"{\"apples\":1}\n\x00 and more");
    let part = Part { seq: Seq(43), at_ms: 1_767_225_600_000, state };
    let bytes = part.encode(&place(), "cart-9");
    assert_eq!(golden("part", &bytes), bytes);
    assert_eq!(Part::decode(&place(), "cart-9", &bytes), Ok(part));
    let error = Part::decode(&place(), "cart-8", &bytes).unwrap_err().to_string();
    assert!(error.ends_with("it says key cart-9, but stands at cart-8"), "{error}");
    assert!(Part::decode(&place(), "cart-9", &bytes.slice(..bytes.len() - 1)).is_err());
}

#[test]
fn a_head_names_where_the_live_entries_begin() {
    let name = SnapshotName { upto: Seq(512), epoch: Epoch(7), run: Run(0x70a1) };
    let head = Head {
        lineage: author().lineage,
        start: Seq(513),
        epoch: Epoch(7),
        snapshot: Some(name),
        cleared: Seq(300),
        facts: None,
    };
    let bytes = head.encode(&place());
    assert_eq!(golden("head.jsonl", &bytes), bytes);
    assert_eq!(Head::decode(&place(), &bytes), Ok(head.clone()));
    let facts = SnapshotFacts { at_ms: 1_767_225_600_000, bytes: 1_048_576, fence: Seq(511) };
    let told = Head { facts: Some(facts), ..head };
    let bytes = told.encode(&place());
    assert_eq!(golden("head_with_facts.jsonl", &bytes), bytes);
    assert_eq!(Head::decode(&place(), &bytes), Ok(told));
}

#[test]
fn a_snapshot_keeps_its_state_as_it_is() {
    let name = SnapshotName { upto: Seq(512), epoch: Epoch(7), run: Run(0x70a1) };
    let state = Bytes::from_static(b"{\"apples\":1}\n\n\x00 and more");
    let fences = vec![Seq(1), Seq(300), Seq(511)];
    let snapshot = Snapshot { name, at_ms: 1_767_225_600_000, fences, state };
    let bytes = snapshot.encode(&place(), author().lineage);
    assert_eq!(golden("snapshot", &bytes), bytes);
    assert_eq!(Snapshot::decode(&place(), name, &bytes), Ok((snapshot.clone(), author())));
    let empty = Snapshot { state: Bytes::new(), ..snapshot };
    let bytes = empty.encode(&place(), author().lineage);
    assert_eq!(Snapshot::decode(&place(), name, &bytes), Ok((empty, author())));
}

#[test]
fn what_is_cut_changed_or_elsewhere_is_told_and_not_read() {
    let bytes = batch().encode(&place());
    let why = |seq: u64, bytes: &[u8]| {
        let read = Entry::decode(&place(), Seq(seq), &Bytes::copy_from_slice(bytes));
        read.unwrap_err().to_string()
    };
    for end in 0..bytes.len() {
        assert!(why(43, &bytes[..end]).contains("can't be read"), "{end}");
    }
    for place in 0..bytes.len() {
        let mut changed = bytes.to_vec();
        changed[place] ^= 1;
        assert!(why(43, &changed).contains("can't be read"), "{place}");
    }
    assert!(why(44, &bytes).ends_with("it says number 43, but stands at 44"));
    let elsewhere = Place { shard: ShardId(4), ..place() };
    let error = Entry::decode(&elsewhere, Seq(43), &bytes).unwrap_err().to_string();
    assert!(error.ends_with("it says shard 3, but stands at 4"), "{error}");
}
