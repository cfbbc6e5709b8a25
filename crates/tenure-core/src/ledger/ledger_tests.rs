//! The five transitions, and reading pages that are not what they were.

use std::time::Duration;

use super::{Book, Step};
use crate::Rules;
use crate::ids::{Epoch, Incarnation, Life, Line, Lineage, ShardId};
use crate::message::{Notice, Reply, Versioned};
use crate::moment::Moment;
use crate::record::{FORMAT, Formation, Heir, Holding, LedgerPage, Meta, NUMBER_MAX, Unknown, Version};

fn life(name: &str) -> Life {
    Life::new(name.parse().unwrap(), Incarnation { line: Line(1), term: 1 })
}

fn apply(step: Step, holding: &Holding) -> Holding {
    step.apply(holding, Rules::ALL)
}

fn owned() -> Holding {
    Holding { owner: Some(life("a")), epoch: Epoch(3), heir: None, top: Epoch(5) }
}

#[test]
fn a_gift_takes_the_epoch_above_the_highest_ever_given() {
    let appointed = apply(Step::Appoint(life("b")), &owned());
    assert_eq!(appointed, Holding { owner: Some(life("b")), epoch: Epoch(6), heir: None, top: Epoch(6) });
}

#[test]
fn a_promise_leaves_the_owner_and_a_succession_keeps_the_promised_epoch() {
    let promised = apply(Step::Promise(life("b")), &owned());
    let heir = Some(Heir { life: life("b"), epoch: Epoch(6) });
    assert_eq!(promised, Holding { heir, top: Epoch(6), ..owned() });
    let succeeded = apply(Step::Succeed, &promised);
    assert_eq!(succeeded, Holding { owner: Some(life("b")), epoch: Epoch(6), heir: None, top: Epoch(6) });
}

#[test]
fn a_move_that_is_called_off_keeps_the_top() {
    let promised = apply(Step::Promise(life("b")), &owned());
    assert_eq!(apply(Step::CallOff, &promised), Holding { top: Epoch(6), ..owned() });
}

fn book() -> Book {
    Book::new(Meta {
        v: FORMAT,
        lineage: Lineage(5),
        state: Formation::Ready,
        shards: 5,
        page_size: 3,
        ttl_max_ms: Duration::from_secs(40).as_millis() as u64,
        placement: "rendezvous".into(),
        plan_version: 1,
        spread_zones: false,
        extra: Unknown::default(),
    })
}

fn page(generation: u64) -> LedgerPage {
    LedgerPage { generation, ..LedgerPage::blank(Lineage(5), 3) }
}

fn found(version: &str, page: &LedgerPage) -> Reply {
    Reply::Found(Versioned { version: Version::new(version), value: page.encode() })
}

#[test]
fn shards_are_counted_through_all_pages() {
    let book = book();
    assert_eq!((book.leaves().len(), book.shard(1, 1)), (2, ShardId(4)));
}

#[test]
fn a_fresh_read_of_an_older_generation_is_a_rollback_and_stops_writing() {
    let mut book = book();
    book.read(Moment::ZERO, 0, 0, found("9", &page(9))).unwrap();
    assert!(book.leaves()[0].writable().is_some());
    let gone_back = book.read(Moment::ZERO, 0, 9, found("8", &page(8)));
    assert!(matches!(gone_back, Err(Notice::Rollback(_))));
    assert!(book.leaves()[0].writable().is_none());
    assert_eq!(book.leaves()[0].page, Some(page(9)), "what was known stays known");
}

#[test]
fn a_read_begun_before_our_own_write_landed_is_merely_old() {
    let mut book = book();
    book.read(Moment::ZERO, 0, 0, found("9", &page(9))).unwrap();
    book.read(Moment::ZERO, 0, 7, found("8", &page(8))).unwrap();
    assert!(book.leaves()[0].writable().is_some());
}

#[test]
fn a_page_that_disappeared_or_cannot_be_read_is_left_alone_until_it_is_back() {
    for wrong in [Reply::Absent, found("2", &LedgerPage::blank(Lineage(6), 3))] {
        let mut book = book();
        book.read(Moment::ZERO, 0, 0, found("1", &page(1))).unwrap();
        assert!(matches!(book.read(Moment::ZERO, 0, 1, wrong), Err(Notice::Unreadable(_))));
        assert!(book.leaves()[0].writable().is_none());
        book.read(Moment::ZERO, 0, 1, found("3", &page(1))).unwrap();
        assert!(book.leaves()[0].writable().is_some());
    }
}

#[test]
fn only_what_changed_is_new() {
    let mut book = book();
    let later = Moment::ZERO + Duration::from_secs(1);
    book.read(Moment::ZERO, 0, 0, found("1", &page(1))).unwrap();
    let mut next = page(2);
    next.holdings[1] = apply(Step::Appoint(life("a")), &next.holdings[1]);
    book.read(later, 0, 1, found("2", &next)).unwrap();
    assert_eq!(book.leaves()[0].changed_at, [Moment::ZERO, later, Moment::ZERO]);
    assert_eq!(book.leaves()[0].lives().collect::<Vec<_>>(), [(&life("a"), &[1][..])]);
}

#[test]
fn a_page_that_cannot_be_read_is_told_once_and_looked_into_once() {
    let mut book = book();
    book.read(Moment::ZERO, 0, 0, found("1", &page(1))).unwrap();
    let strange = || found("2", &LedgerPage::blank(Lineage(6), 3));
    assert!(matches!(book.read(Moment::ZERO, 0, 1, strange()), Err(Notice::Unreadable(_))));
    let revision = book.revision();
    assert_eq!(book.read(Moment::ZERO, 0, 1, strange()), Ok(()));
    assert_eq!(book.revision(), revision);
    assert!(book.leaves()[0].writable().is_none() && book.leaves()[0].problem.is_some());
    book.read(Moment::ZERO, 0, 1, Reply::Unchanged).unwrap();
    assert!(book.leaves()[0].writable().is_some(), "the page that was known is back");
    assert!(matches!(book.read(Moment::ZERO, 0, 1, strange()), Err(Notice::Unreadable(_))));
}

#[test]
fn a_page_with_the_last_generation_is_not_written_any_more() {
    let mut book = book();
    book.read(Moment::ZERO, 0, 0, found("1", &page(NUMBER_MAX - 1))).unwrap();
    assert!(book.leaves()[0].writable().is_some() && book.spent().next().is_none());
    book.read(Moment::ZERO, 0, 1, found("2", &page(NUMBER_MAX))).unwrap();
    assert!(book.leaves()[0].writable().is_none());
    let told: Vec<String> = book.spent().collect();
    assert!(matches!(&told[..], [what] if what.starts_with("ledger page 0 has generation")), "{told:?}");
}
