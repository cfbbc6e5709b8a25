//! Clusters made by hand, as an onlooker sees them: for tests.

use bytes::Bytes;

use super::{Onlooker, Survey};
use crate::ids::{Epoch, Incarnation, Life, Line, Lineage, MemberId, Process, ShardId};
use crate::message::{Reply, Versioned};
use crate::moment::Moment;
use crate::record::{
    FORMAT, Formation, Heir, Holding, LedgerPage, MemberRecord, Meta, Unknown, Version, samples,
};

/// The wall clock when every record of a scene was written.
pub(crate) const WRITTEN_MS: u64 = 1_700_000_000_000;

pub(crate) fn id(name: &str) -> MemberId {
    name.parse().unwrap()
}

/// The first life of a member.
pub(crate) fn life(name: &str) -> Life {
    Life::new(id(name), Incarnation { line: Line(1), term: 1 })
}

pub(crate) fn owned(owner: &str) -> Holding {
    Holding { owner: Some(life(owner)), epoch: Epoch(1), heir: None, top: Epoch(1) }
}

pub(crate) fn promised(owner: &str, heir: &str) -> Holding {
    let heir = Some(Heir { life: life(heir), epoch: Epoch(2) });
    Holding { heir, top: Epoch(2), ..owned(owner) }
}

pub(crate) fn member() -> MemberRecord {
    MemberRecord { line: Line(1), process: Process(7), seq: 5, at_ms: Some(WRITTEN_MS), ..samples::member() }
}

/// A cluster of one page.
pub(crate) struct Scene {
    pub(crate) page: LedgerPage,
    members: Vec<(MemberId, MemberRecord)>,
}

impl Scene {
    pub(crate) fn new(holdings: Vec<Holding>) -> Self {
        let page = LedgerPage { holdings, ..LedgerPage::blank(Lineage(9), 0) };
        Self { page, members: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &str, record: MemberRecord) -> Self {
        self.members.push((id(name), record));
        self
    }

    fn meta(&self) -> Meta {
        Meta {
            v: FORMAT,
            lineage: Lineage(9),
            state: Formation::Ready,
            shards: self.page.holdings.len() as u32,
            page_size: 64,
            ttl_max_ms: 40_000,
            placement: "rendezvous".into(),
            plan_version: 1,
            spread_zones: false,
            extra: Unknown::default(),
        }
    }

    /// What an onlooker has seen after one look.
    pub(crate) fn seen(&self) -> Onlooker {
        self.seen_with(self.page.encode())
    }

    /// The same, if the page has these bytes.
    fn seen_with(&self, page: Bytes) -> Onlooker {
        let now = Moment::from_nanos(1);
        let mut onlooker = Onlooker::new(self.meta());
        let versioned = |value| Versioned { version: Version::new("v1"), value };
        onlooker.page_read(now, 0, Reply::Found(versioned(page)));
        let members = self.members.iter().map(|(id, record)| (id.clone(), versioned(record.encode())));
        onlooker.listed(now, now, members.collect());
        onlooker
    }

    /// What it says of a page of these bytes.
    pub(crate) fn survey_of(&self, page: Bytes) -> Survey {
        self.seen_with(page).survey(Moment::from_nanos(1), WRITTEN_MS)
    }

    /// What it says, so many milliseconds after the records were written.
    pub(crate) fn survey(&self, after_ms: u64) -> Survey {
        self.seen().survey(Moment::from_nanos(1), WRITTEN_MS + after_ms)
    }

    /// Why nobody owns the shard, in words.
    pub(crate) fn why(&self, shard: u32) -> String {
        let survey = self.survey(0);
        assert!(survey.unowned.contains(&ShardId(shard)), "{survey:?}");
        survey.holdings[shard as usize].why.as_ref().unwrap().to_string()
    }
}
