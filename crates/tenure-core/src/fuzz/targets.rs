//! The targets: one for each kind of record.

use tenure_fuzz::Target;

use super::machine::{hears, lives};
use super::onlooker::looks;
use super::recoverer::recovers;
use super::scene::{Records, first_page, second_member, the_meta};
use crate::ids::Epoch;
use crate::message::{Event, Notice, Versioned};
use crate::record::samples::{id, life, owned, page};
use crate::record::{Holding, Key, LedgerPage, MemberRecord, MemberState, NUMBER_MAX, Version};

/// Lets everybody use the cluster with these bytes at `key`.
fn everybody(key: &Key, bytes: &[u8]) -> bool {
    let records = Records::whole().with(key, bytes);
    let understood = looks(&records);
    recovers(&records);
    lives(records);
    understood
}

/// How often a member says that something can't be read while these bytes are at `key`.
fn complaints(key: &Key, bytes: &[u8]) -> usize {
    let notices = lives(Records::whole().with(key, bytes));
    notices.iter().filter(|notice| matches!(notice, Notice::Unreadable(error) if error.key == *key)).count()
}

#[test]
fn a_record_that_cannot_be_read_is_told_once_however_often_it_is_looked_at() {
    for name in ["b", "d"] {
        assert_eq!(complaints(&Key::Member(id(name)), b"nothing"), 1, "{name}");
    }
    assert_eq!(complaints(&Key::Page(0), b"nothing"), 1);
}

#[test]
fn fuzz_meta() {
    let golden = [
        the_meta().encode(),
        include_bytes!("../../golden/v1/meta-forming.json").as_slice().into(),
        include_bytes!("../../golden/v1/meta-later-fields.json").as_slice().into(),
    ];
    let read = |bytes: &[u8]| {
        everybody(&Key::Meta, bytes);
        crate::record::Meta::decode(bytes).is_ok()
    };
    Target::new("meta", golden).run(read);
}

#[test]
fn fuzz_member() {
    let golden: [&[u8]; 7] = [
        include_bytes!("../../golden/v1/member-active.json"),
        include_bytes!("../../golden/v1/member-leaving.json"),
        include_bytes!("../../golden/v1/member-drained.json"),
        include_bytes!("../../golden/v1/member-deposed.json"),
        include_bytes!("../../golden/v1/member-gone.json"),
        include_bytes!("../../golden/v1/member-timed.json"),
        include_bytes!("../../golden/v1/member-later-fields.json"),
    ];
    let whole = golden.into_iter().map(<[u8]>::to_vec).chain([second_member().encode().to_vec()]);
    Target::new("member", whole).run(|bytes| everybody(&Key::Member(id("b")), bytes));
}

/// The record that a member finds under its own name.
#[test]
fn fuzz_own_member() {
    let records = [second_member(), MemberRecord { term: NUMBER_MAX, ..second_member() }];
    let whole = records.map(|record| record.encode());
    Target::new("own-member", whole).run(|bytes| everybody(&Key::Member(id("d")), bytes));
}

#[test]
fn fuzz_page() {
    Target::new("page", [first_page().encode()]).run(|bytes| everybody(&Key::Page(0), bytes));
}

/// Owners that have ended, at the edge of what can be counted.
#[test]
fn fuzz_spent_page() {
    let top = |top| Holding { top: Epoch(top), ..owned(&life("c", 3, 1), 2) };
    let holdings =
        [top(NUMBER_MAX), top(NUMBER_MAX - 1), Holding { top: Epoch(NUMBER_MAX), ..Holding::default() }];
    let pages = [3, NUMBER_MAX - 1, NUMBER_MAX]
        .map(|generation| LedgerPage { generation, ..page([&holdings[..], &[top(2)]].concat()) });
    let read = |bytes: &[u8]| {
        everybody(&Key::Page(0), bytes);
        LedgerPage::decode(0, bytes, &the_meta()).is_ok()
    };
    Target::new("spent-page", pages.map(|page| page.encode())).run(read);
}

/// What a member is told of another, besides what it reads: the same records, and one that has gone.
fn told() -> Vec<Vec<u8>> {
    let gone = MemberRecord { state: MemberState::Gone, seq: NUMBER_MAX, ..second_member() };
    [second_member(), gone].map(|record| record.encode().to_vec()).into()
}

fn versioned(bytes: &[u8]) -> Versioned {
    Versioned { version: Version::new("heard"), value: bytes.to_vec().into() }
}

fn understood(bytes: &[u8]) -> bool {
    MemberRecord::decode(&id("b"), bytes, std::time::Duration::MAX).is_ok()
}

/// A record that the store's own watch brought, of another member and of ourselves.
#[test]
fn fuzz_heard_member() {
    Target::new("heard-member", told()).runs(40).run(|bytes| {
        let said = ["b", "d"].map(|name| Event::Heard { id: id(name), record: versioned(bytes) });
        hears(Records::whole(), &said);
        understood(bytes)
    });
}

/// What happened, but for renewals: reading takes them out of step.
fn deeds(notices: Vec<Notice>) -> Vec<Notice> {
    notices.into_iter().filter(|notice| !matches!(notice, Notice::Renewed { .. })).collect()
}

/// A record that somebody says a member wrote: whatever it says, no more is done than is done without it, besides reading.
#[test]
fn fuzz_rumour() {
    let quiet = deeds(lives(Records::whole()));
    Target::new("rumour", told()).runs(40).run(|bytes| {
        let said = [Event::Rumour { id: id("b"), record: versioned(bytes) }];
        assert_eq!(deeds(hears(Records::whole(), &said)), quiet, "a rumour changed what happened");
        understood(bytes)
    });
}
