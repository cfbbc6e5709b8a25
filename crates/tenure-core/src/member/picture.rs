//! The machine's snapshot.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::{HoldingView, Me, MemberView, Snapshot, WorkView};
use crate::ids::{Incarnation, MemberId, ShardId};
use crate::moment::Moment;
use crate::record::{Holding, MemberRecord, MemberState};
use crate::roster::Entry;

impl Machine {
    /// Everything that this member knows.
    pub fn snapshot(&self, now: Moment) -> Snapshot {
        let holdings = self.holdings(now);
        let members = self.members(now, &holdings);
        Snapshot {
            shards: self.book.as_ref().map_or(0, |book| book.meta().shards),
            me: self.me(now),
            members,
            unowned: holdings.iter().filter(|view| view.owner.is_none()).map(|view| view.shard).collect(),
            holdings,
            work: self.work(),
            problems: self.problems(),
        }
    }

    fn me(&self, now: Moment) -> Me {
        Me {
            id: self.config.id.clone(),
            incarnation: self.keeper.life().map(|life| life.incarnation()),
            state: self.state(),
            valid_for_ms: self.keeper.lease().valid_until().since(now).as_millis() as u64,
            renewal_failures: self.keeper.streak(),
        }
    }

    fn state(&self) -> &'static str {
        match () {
            () if self.ended => "ended",
            () if self.leaving.is_some() => "leaving",
            () if self.keeper.life().is_some() => "active",
            () if self.keeper.is_waiting() => "waiting",
            () if self.keeper.is_joining() => "joining",
            () if self.lapsed => "lapsed",
            () => "starting",
        }
    }

    fn holdings(&self, now: Moment) -> Vec<HoldingView> {
        let mut views = Vec::new();
        for (number, book) in
            self.book.iter().flat_map(|book| (0..book.meta().pages()).map(move |n| (n, book)))
        {
            let page = book.leaves()[number as usize].page.iter();
            let holdings = page.flat_map(|page| page.holdings.iter().enumerate());
            views.extend(
                holdings.map(|(index, holding)| self.holding(now, book.shard(number, index), holding)),
            );
        }
        views
    }

    fn holding(&self, now: Moment, shard: ShardId, holding: &Holding) -> HoldingView {
        let owner = holding.owner.as_ref().filter(|_| !self.owner_ended(now, shard, holding));
        HoldingView {
            shard,
            owner: owner.map(|life| life.id().clone()),
            epoch: holding.epoch,
            heir: holding.heir.as_ref().map(|heir| heir.life.id().clone()),
        }
    }

    fn members(&self, now: Moment, holdings: &[HoldingView]) -> Vec<MemberView> {
        let mut holds: BTreeMap<&MemberId, Vec<ShardId>> = BTreeMap::new();
        for view in holdings {
            if let Some(owner) = &view.owner {
                holds.entry(owner).or_default().push(view.shard);
            }
        }
        let entries = self.roster.entries();
        entries.map(|(id, entry)| member(now, id, entry, holds.remove(id).unwrap_or_default())).collect()
    }

    fn work(&self) -> Vec<WorkView> {
        let view = |(shard, tenancy): (&ShardId, &crate::shard::Tenancy)| {
            let (failures, error) = tenancy.failures();
            let epoch = tenancy.seat().epoch();
            WorkView { shard: *shard, epoch, state: tenancy.state(), failures, error: error.map(Into::into) }
        };
        self.tenancies.iter().map(view).collect()
    }

    fn problems(&self) -> Vec<String> {
        let leaves = self.book.iter().flat_map(|book| book.leaves());
        let pages = leaves.zip(0..).filter_map(|(leaf, number): (_, u32)| {
            leaf.problem.as_ref().map(|problem| format!("ledger page {number}: {problem}"))
        });
        let records = self
            .roster
            .entries()
            .filter_map(|(_, entry)| entry.record.as_ref().err().map(ToString::to_string));
        pages.chain(records).collect()
    }
}

fn member(now: Moment, id: &MemberId, entry: &Entry, holds: Vec<ShardId>) -> MemberView {
    let record = entry.readable();
    MemberView {
        id: id.clone(),
        incarnation: record.map(|record| Incarnation { line: record.line, term: record.term }),
        state: record.map_or("unreadable", state),
        renewed_ago_ms: now.since(entry.renewed_at()).as_millis() as u64,
        weight: record.map_or(0, |record| record.weight),
        zone: record.and_then(|record| record.zone.clone()),
        version: record.map_or_else(String::new, |record| record.version.clone()),
        holds,
    }
}

fn state(record: &MemberRecord) -> &'static str {
    match record.state {
        MemberState::Active if record.drained => "drained",
        MemberState::Active => "active",
        MemberState::Leaving => "leaving",
        MemberState::Gone => "gone",
        MemberState::Deposed => "deposed",
    }
}
