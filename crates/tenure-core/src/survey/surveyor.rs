//! Builds a picture from what was read. What it takes for ended, and how old a renewal is, its user says: a member knows more
//! of itself than its record shows, and an onlooker that has just come has no clock of its own to go by.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::wording::{active, unowned};
use super::{HoldingView, MemberStatus, MemberView, Survey};
use crate::ids::{Epoch, Life, MemberId, ShardId};
use crate::ledger::Book;
use crate::moment::Timing;
use crate::record::{Change, Holding, LedgerPage, MemberRecord, MemberState, StepTaken, address_problem};
use crate::roster::{Roster, SeenRecord};

/// Builds a picture from what was read.
pub(crate) struct Surveyor<'a> {
    pub(crate) book: Option<&'a Book>,
    pub(crate) roster: &'a Roster,
    pub(crate) timing: &'a Timing,
    /// Whether a life has ended an epoch of a shard.
    pub(crate) ended: &'a dyn Fn(&Life, ShardId, Epoch) -> bool,
    /// How long ago the last renewal was.
    pub(crate) age: &'a dyn Fn(&SeenRecord) -> Duration,
}

impl Surveyor<'_> {
    /// The whole picture.
    pub(crate) fn survey(&self) -> Survey {
        let holdings = self.holdings();
        Survey {
            shards: self.book.map_or(0, |book| book.meta().shards),
            members: self.members(&holdings),
            unowned: holdings.iter().filter(|view| view.owner.is_none()).map(|view| view.shard).collect(),
            holdings,
            problems: self.problems(),
        }
    }

    fn holdings(&self) -> Vec<HoldingView> {
        let mut views = Vec::new();
        let active = active(self);
        for (number, leaf) in (0..).zip(self.book.iter().flat_map(|book| book.leaves())) {
            let (Some(book), Some(page)) = (self.book, &leaf.page) else { continue };
            let accounts = accounts(page, book.shard(number, 0));
            let holdings = page.holdings.iter().zip(accounts).enumerate();
            views.extend(holdings.map(|(index, (holding, account))| {
                self.holding(book.shard(number, index), holding, account, &active)
            }));
        }
        views
    }

    fn holding(
        &self,
        shard: ShardId,
        holding: &Holding,
        account: Account,
        active: &[&MemberRecord],
    ) -> HoldingView {
        let owner = holding.owner.as_ref().filter(|life| !(self.ended)(life, shard, holding.epoch));
        let Account { since_ms, step, why } = match owner {
            Some(_) => account,
            None => Account { why: Some(unowned(self, active, shard, holding).into()), ..Account::default() },
        };
        HoldingView {
            shard,
            owner: owner.map(|life| life.id().clone()),
            epoch: holding.epoch,
            heir: holding.heir.as_ref().map(|heir| heir.life.id().clone()),
            since_ms,
            step,
            why,
        }
    }

    fn members(&self, holdings: &[HoldingView]) -> Vec<MemberView> {
        let mut holds: BTreeMap<&MemberId, Vec<ShardId>> = BTreeMap::new();
        for view in holdings {
            if let Some(owner) = &view.owner {
                holds.entry(owner).or_default().push(view.shard);
            }
        }
        let entries = self.roster.entries();
        entries.map(|(id, entry)| self.member(id, entry, holds.remove(id).unwrap_or_default())).collect()
    }

    fn member(&self, id: &MemberId, entry: &SeenRecord, holds: Vec<ShardId>) -> MemberView {
        let record = entry.readable();
        MemberView {
            id: id.clone(),
            incarnation: record.map(MemberRecord::incarnation),
            state: record.map_or(MemberStatus::Unreadable, |record| self.state(entry, record)),
            by: record.and_then(|record| record.by.clone()),
            drained: record.is_some_and(|record| record.drained),
            seq: record.map_or(0, |record| record.seq),
            renewed_ago_ms: (self.age)(entry).as_millis() as u64,
            ttl_ms: record.map_or(0, |record| record.ttl_ms),
            weight: record.map_or(0, |record| record.weight),
            zone: record.and_then(|record| record.zone.clone()),
            address: record.and_then(address),
            version: record.map_or_else(String::new, |record| record.version.clone()),
            holds,
            stuck: record.map_or_else(Vec::new, |record| record.stuck.clone()),
            failing: record.map_or_else(Vec::new, |record| record.failing.clone()),
        }
    }

    fn state(&self, entry: &SeenRecord, record: &MemberRecord) -> MemberStatus {
        match record.state {
            MemberState::Gone => MemberStatus::Gone,
            MemberState::Deposed => MemberStatus::Deposed,
            MemberState::Active | MemberState::Leaving if self.is_silent(entry, record) => {
                MemberStatus::Silent
            }
            MemberState::Leaving => MemberStatus::Leaving,
            MemberState::Active if record.drained => MemberStatus::Drained,
            MemberState::Active => MemberStatus::Active,
        }
    }

    pub(super) fn is_silent(&self, entry: &SeenRecord, record: &MemberRecord) -> bool {
        (self.age)(entry) >= self.timing.silence(record.ttl())
    }

    fn problems(&self) -> Vec<String> {
        let leaves = self.book.iter().flat_map(|book| book.leaves());
        let pages = leaves.zip(0..).filter_map(|(leaf, number): (_, u32)| {
            leaf.problem.as_ref().map(|problem| format!("ledger page {number}: {problem}"))
        });
        let spent = self.book.iter().flat_map(|book| book.spent());
        let unreadable = |(_, entry): (_, &SeenRecord)| entry.record.as_ref().err().map(ToString::to_string);
        pages.chain(spent).chain(self.roster.entries().filter_map(unreadable)).collect()
    }
}

/// One that no member's settings would take is left out: it was written by hand.
fn address(record: &MemberRecord) -> Option<Arc<str>> {
    let said = record.address.as_deref().filter(|said| address_problem(said).is_none());
    said.map(Into::into)
}

/// How a shard came to its owner, as far as the page remembers.
#[derive(Clone, Default)]
struct Account {
    since_ms: Option<u64>,
    step: Option<StepTaken>,
    why: Option<Arc<str>>,
}

/// For each holding of a page that begins with `first`, its last change of owner, as far as the page remembers.
fn accounts(page: &LedgerPage, first: ShardId) -> Vec<Account> {
    let mut accounts = vec![Account::default(); page.holdings.len()];
    for change in page.recent.iter().filter(|change| change.step.changes_owner()) {
        note(&mut accounts, first, change);
    }
    accounts
}

fn note(accounts: &mut [Account], first: ShardId, change: &Change) {
    let why = Some(change.reason.as_str().into());
    let account = Account { since_ms: change.at_ms, step: Some(change.step), why };
    let place = |shard: u32| shard.checked_sub(first.0).map_or(0, |index| index as usize).min(accounts.len());
    let here = change.shards.runs().filter(|(_, last)| *last >= first.0);
    let runs: Vec<_> = here.map(|(begin, last)| place(begin)..place(last.saturating_add(1))).collect();
    for run in runs {
        accounts[run].fill(account.clone());
    }
}
