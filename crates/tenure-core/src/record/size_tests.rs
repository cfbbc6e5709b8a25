//! How many bytes a shard costs in the ledger, shown for the page that most clusters have.

use super::samples::{id, life, meta, owned, page, promised};
use super::{Change, Holding, LedgerPage, PAGE_SIZE_MAX, Ranges, StepTaken, Why};
use crate::ids::{Life, ShardId};

const SHARDS: u64 = 4096;

fn members(count: u64) -> Vec<Life> {
    let line = |number: u64| u128::from(number + 1) << 64 | 0x9e37_79b9_7f4a_7c15;
    (0..count).map(|number| life(&format!("orders-{number}"), line(number), number % 40 + 1)).collect()
}

fn change(reason: &str, shards: impl IntoIterator<Item = ShardId>) -> Change {
    Change {
        at_ms: Some(1_700_000_000_123),
        author: id("orders-3"),
        step: StepTaken::Promised,
        reason: reason.into(),
        shards: Ranges::of(shards),
    }
}

/// A page that has seen some thousand moves, by the members that own it.
fn worn_page(members: &[Life], shards: u64, holding: impl Fn(&Life, &Life, u64) -> Holding) -> LedgerPage {
    let one = |number: u64| &members[(number % members.len() as u64) as usize];
    let holdings =
        (0..shards).map(|shard| holding(one(shard * 7), one(shard * 11 + 3), shard * 37 % 9000 + 1));
    let view = members.iter().map(|life| life.id().clone()).collect();
    let why = Some(Why { reason: "balance: orders-17 joined".into(), author: id("orders-3"), view });
    let mut page = LedgerPage { why, ..page(holdings.collect()) };
    for turn in 0..20 {
        let moved = (0..u32::try_from(shards).unwrap()).filter(|shard| shard % 7 == turn % 7).map(ShardId);
        page.remember(vec![change("from orders-17: balance", moved)]);
    }
    page
}

fn bytes_each(name: &str, page: &LedgerPage) -> f64 {
    let bytes = page.encode();
    let shards = page.holdings.len();
    let each = bytes.len() as f64 / shards as f64;
    println!("{name}: {} bytes for {shards} shards, {each:.1} each", bytes.len());
    let meta = meta(u32::try_from(shards).unwrap(), PAGE_SIZE_MAX);
    assert_eq!(&LedgerPage::decode(0, &bytes, &meta).unwrap(), page);
    each
}

#[test]
fn a_holding_takes_at_most_24_bytes() {
    let settled = worn_page(&members(100), SHARDS, |owner, _, epoch| owned(owner, epoch));
    let moving =
        worn_page(&members(100), SHARDS, |owner, heir, epoch| promised(owner, epoch, heir, epoch + 1));
    assert!(bytes_each("settled, 100 members", &settled) <= 24.0);
    assert!(bytes_each("every shard on the move, 100 members", &moving) <= 24.0);
}

#[test]
fn a_blank_page_takes_seven_bytes_for_a_shard() {
    let blank = LedgerPage::blank(super::samples::LINEAGE, 4096);
    assert!(bytes_each("blank", &blank) < 8.0);
}

#[test]
fn the_greatest_page_fits_the_megabyte_that_every_store_takes() {
    let shards = u64::from(PAGE_SIZE_MAX);
    let moving =
        worn_page(&members(1000), shards, |owner, heir, epoch| promised(owner, epoch, heir, epoch + 1));
    assert!(
        bytes_each("the greatest page, on the move, 1000 members", &moving) * shards as f64 <= 1_048_576.0
    );
}
