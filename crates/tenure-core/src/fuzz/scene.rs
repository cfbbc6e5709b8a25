//! A small cluster as bytes: whole, and with one of its records replaced.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::ids::{MemberId, ShardId};
use crate::message::Versioned;
use crate::record::samples::{id, life, member, meta, owned, page, promised};
use crate::record::{
    Change, Holding, Key, LedgerPage, MemberRecord, MemberState, Meta, Ranges, StepTaken, Version, Why,
};

/// Every record of a cluster, by its key.
#[derive(Clone, Debug)]
pub(super) struct Records(pub(super) BTreeMap<String, Versioned>);

impl Records {
    /// A cluster of six shards in two pages and of four members, one of whom has ended.
    pub(super) fn whole() -> Self {
        let mut records = Self(BTreeMap::new());
        records.put(&Key::Meta, the_meta().encode());
        records.put(&Key::Page(0), first_page().encode());
        records.put(&Key::Page(1), page(vec![owned(&life("b", 2, 1), 3), Holding::default()]).encode());
        records.put(&Key::Member(id("a")), MemberRecord { line: crate::ids::Line(1), ..member() }.encode());
        records.put(&Key::Member(id("b")), second_member().encode());
        let gone = MemberRecord { line: crate::ids::Line(3), state: MemberState::Gone, ..member() };
        records.put(&Key::Member(id("c")), gone.encode());
        records
    }

    /// The same, with other bytes at a key.
    pub(super) fn with(mut self, key: &Key, bytes: &[u8]) -> Self {
        self.put(key, Bytes::copy_from_slice(bytes));
        self
    }

    pub(super) fn put(&mut self, key: &Key, value: Bytes) -> Version {
        let version = Version::new(format!("{}-{}", self.0.len(), xxhash_rust::xxh3::xxh3_64(&value)));
        self.0.insert(key.to_string(), Versioned { version: version.clone(), value });
        version
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Versioned> {
        self.0.get(&key.to_string())
    }

    /// What all agree on, if that can be read.
    pub(super) fn meta(&self) -> Option<Meta> {
        Meta::decode(&self.get(&Key::Meta)?.value).ok()
    }

    pub(super) fn members(&self) -> Vec<(MemberId, Versioned)> {
        let named = self.0.iter().filter_map(|(key, found)| Some((Key::parse(key)?, found.clone())));
        let member = |(key, found)| if let Key::Member(id) = key { Some((id, found)) } else { None };
        named.filter_map(member).collect()
    }
}

pub(super) fn the_meta() -> Meta {
    meta(6, 4)
}

/// A page with every kind of holding, and with words for people.
pub(super) fn first_page() -> LedgerPage {
    let (a, b, c) = (life("a", 1, 1), life("b", 2, 1), life("c", 3, 1));
    let holdings = vec![owned(&a, 1), promised(&a, 4, &b, 5), owned(&c, 2), promised(&c, 2, &a, 3)];
    let why = Some(Why { reason: "balance".into(), author: id("a"), view: vec![id("a"), id("b")] });
    let mut page = LedgerPage { why, ..page(holdings) };
    let change = |step, shards: &[u32]| Change {
        at_ms: Some(1_700_000_000_000),
        author: id("a"),
        step,
        reason: "first owner".into(),
        shards: Ranges::of(shards.iter().copied().map(ShardId)),
    };
    page.remember(vec![change(StepTaken::Appointed, &[0, 1, 3]), change(StepTaken::Promised, &[1, 3])]);
    page
}

/// A member that says all that a member can say.
pub(super) fn second_member() -> MemberRecord {
    MemberRecord {
        line: crate::ids::Line(2),
        zone: Some("z".into()),
        address: Some("10.1.2.3:7400".into()),
        version: "0.1.0".into(),
        released: [(ShardId(1), crate::ids::Epoch(2))].into_iter().collect(),
        avoids: vec![ShardId(3)],
        wants: vec![ShardId(0), ShardId(5)],
        stuck: vec![ShardId(4)],
        at_ms: Some(1_700_000_000_000),
        ..member()
    }
}
