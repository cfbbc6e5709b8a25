//! The cluster as its records show it, by a look that writes nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::MemberId;
use tenure::store::{Entry, SharedStore, Store, StoreErrorKind};
use tenure_core::ids::{Incarnation, Life};
use tenure_core::record::{Holding, Key, LedgerPage, MemberRecord, MemberState, Meta};

use super::place::CLUSTER;
use crate::exit::{Exit, Failure};

/// A member's record, as far as the view needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    /// What it says of its member.
    pub(super) state: MemberState,
    /// Who closed it, if it was another.
    pub(super) by: Option<MemberId>,
    /// Which life of the member.
    pub(super) life: Incarnation,
    /// Changes with each renewal.
    pub(super) seq: u64,
}

/// Who may act for one shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Seat {
    /// Nobody.
    #[default]
    Vacant,
    /// This member.
    Held(MemberId),
    /// The first, until it has finished; then the second.
    Moving(MemberId, MemberId),
}

impl Seat {
    /// Who may act now.
    pub(super) fn owner(&self) -> Option<&MemberId> {
        match self {
            Self::Vacant => None,
            Self::Held(owner) | Self::Moving(owner, _) => Some(owner),
        }
    }
}

/// One look at the whole cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sight {
    /// Every member's lease.
    pub(super) leases: BTreeMap<MemberId, Lease>,
    /// Every shard, in order.
    pub(super) seats: Vec<Seat>,
}

impl Sight {
    /// Looks. A cluster that is not founded yet shows nothing, and neither does a store that is busy: the next look may.
    pub(super) async fn take(store: &SharedStore) -> Result<Option<Self>, Failure> {
        let listed = match store.list(&format!("{CLUSTER}/")).await {
            Err(error) if error.kind == StoreErrorKind::Unavailable => return Ok(None),
            listed => listed?,
        };
        let Some(meta) = meta(&listed)? else { return Ok(None) };
        let records = records(&listed, meta.ttl_max())?;
        let mut seats = Vec::new();
        for (number, entry) in pages(&listed) {
            let page = LedgerPage::decode(number, &entry.record.value, &meta).map_err(strange)?;
            let first = number * meta.page_size;
            let numbered = (first..).zip(&page.holdings);
            seats.extend(numbered.map(|(shard, holding)| seat(shard, holding, &records)));
        }
        let leases = records.iter().map(|(id, record)| (id.clone(), lease(record))).collect();
        Ok(Some(Self { leases, seats }))
    }
}

type Records = BTreeMap<MemberId, MemberRecord>;

fn key(entry: &Entry) -> Option<Key> {
    Key::parse(entry.key.strip_prefix(CLUSTER)?.strip_prefix('/')?)
}

fn meta(listed: &[Entry]) -> Result<Option<Meta>, Failure> {
    let entry = listed.iter().find(|entry| key(entry) == Some(Key::Meta));
    entry.map(|entry| Meta::decode(&entry.record.value).map_err(strange)).transpose()
}

fn records(listed: &[Entry], ttl_max: Duration) -> Result<Records, Failure> {
    let named = listed.iter().filter_map(|entry| match key(entry)? {
        Key::Member(id) => Some((id, entry)),
        Key::Meta | Key::Page(_) => None,
    });
    named
        .map(|(id, entry)| {
            Ok((id.clone(), MemberRecord::decode(&id, &entry.record.value, ttl_max).map_err(strange)?))
        })
        .collect()
}

fn pages(listed: &[Entry]) -> impl Iterator<Item = (u32, &Entry)> {
    listed.iter().filter_map(|entry| match key(entry)? {
        Key::Page(number) => Some((number, entry)),
        Key::Meta | Key::Member(_) => None,
    })
}

fn lease(record: &MemberRecord) -> Lease {
    Lease { state: record.state, by: record.by.clone(), life: record.incarnation(), seq: record.seq }
}

/// The owner has it until it has released it or is closed; then the heir has it, written down as owner or not yet.
fn seat(shard: u32, holding: &Holding, records: &Records) -> Seat {
    let owner = holding.owner.as_ref().filter(|life| may_act(life, shard, holding.epoch, records));
    let heir = holding.heir.as_ref().filter(|heir| may_act(&heir.life, shard, heir.epoch, records));
    match (owner, heir) {
        (Some(owner), Some(heir)) => Seat::Moving(owner.id().clone(), heir.life.id().clone()),
        (Some(owner), None) => Seat::Held(owner.id().clone()),
        (None, Some(heir)) => Seat::Held(heir.life.id().clone()),
        (None, None) => Seat::Vacant,
    }
}

fn may_act(life: &Life, shard: u32, epoch: tenure::Epoch, records: &Records) -> bool {
    let Some(record) = records.get(life.id()) else { return false };
    let lives = record.life(life.id()) == *life && record.state.is_open();
    lives && !record.has_released(tenure::ShardId(shard), epoch)
}

fn strange(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::new(Exit::Cluster, "a record of the cluster can't be read; report this").because(error)
}
