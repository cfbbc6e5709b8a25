//! How much memory a record costs its reader: a small multiple of its bytes, whatever it holds.
//!
//! One test alone: whatever else ran in this process would be counted with it.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

use std::time::Duration;

use peak_alloc::PeakAlloc;
use tenure_core::record::{LedgerPage, MemberRecord, Meta};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The greatest multiple of a record's bytes that reading it may take at once.
const MULTIPLE: usize = 10;

/// Enough to tell a multiple from a constant, and below what is refused unread.
const BYTES: usize = 1_000_000;

const META: &str = r#"{"v":1,"lineage":"0f0e0d0c0b0a09080706050403020100","state":"ready","shards":4,"page_size":4,
    "ttl_max_ms":60000,"placement":"rendezvous","plan_version":1}"#;
const PAGE: &str = r#""v":1,"lineage":"0f0e0d0c0b0a09080706050403020100","generation":9"#;
const LIVES: &str = r#","lives":[]"#;
const HOLDINGS: &str = r#","holdings":[[-1,0],[-1,0],[-1,0],[-1,0]]"#;
const MEMBER: &str = r#""v":1,"line":"00000000000000000000000000000001","term":1,"process":"00000000000000000000000000000007",
    "seq":5,"state":"active","ttl_ms":10000,"weight":3"#;

/// So many of `item` as make up the bytes, in a field of this name.
fn field(name: &str, open: char, item: &str, close: char) -> String {
    let items = vec![item; BYTES / (item.len() + 1)].join(",");
    format!(r#""{name}":{open}{items}{close}"#)
}

/// A page with this field; a field that is there twice would be refused too early.
fn page_with(field: &str) -> String {
    let unless = |name: &str, usual: &'static str| if field.starts_with(name) { "" } else { usual };
    format!("{{{PAGE}{}{},{field}}}", unless("\"lives\"", LIVES), unless("\"holdings\"", HOLDINGS))
}

/// The most memory in use at once while `read` reads, beyond what was in use before.
fn peak(read: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    read();
    MEMORY.peak_usage() - before
}

#[test]
fn a_record_takes_a_small_multiple_of_its_bytes() {
    let meta = Meta::decode(META.as_bytes()).unwrap();
    let id = "a".parse().unwrap();
    let fields = [
        field("later", '[', "0", ']'),
        field("later", '[', "{}", ']'),
        field("later", '[', r#"{"":0}"#, ']'),
        field("later", '[', "[[[]]]", ']'),
        field("recent", '[', "0", ']'),
        field("recent", '[', r#"{"author":"a","step":"appointed","reason":"","shards":"0"}"#, ']'),
        field("why", '[', r#""a""#, ']'),
        field("lives", '[', r#"["a","00000000000000000000000000000001",1]"#, ']'),
        field("holdings", '[', "[0,1]", ']'),
        field("released", '[', "[0,1]", ']'),
        field("avoids", '[', "0", ']'),
        field("wants", '[', "4294967295", ']'),
        (0..BYTES / 12).map(|number| format!(r#""x{number:06}":0"#)).collect::<Vec<_>>().join(","),
    ];
    for field in fields {
        let (page, member) = (page_with(&field), format!("{{{MEMBER},{field}}}"));
        let read_page = peak(|| drop(LedgerPage::decode(0, page.as_bytes(), &meta)));
        let read_member =
            peak(|| drop(MemberRecord::decode(&id, member.as_bytes(), Duration::from_secs(60))));
        let most = read_page.max(read_member);
        println!("{}…: {} bytes took {most}", &field[..field.len().min(40)], page.len());
        assert!(most <= MULTIPLE * page.len(), "{}…: {most} for {} bytes", &field[..40], page.len());
    }
}
