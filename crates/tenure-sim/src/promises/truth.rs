//! The facts that promises are judged by: which lives there were and how they ended, who was given which epoch.
//!
//! Everything here is learnt from writes as they land in the store, and from grants as they are sent; nothing from what a
//! machine believes.

use tenure_core::ids::{Epoch, Life, Line, MemberId, ShardId};
use tenure_core::record::{Formation, Holding, LedgerPage, MemberRecord, MemberState, Meta};

use crate::clock::Nanos;

/// The number of a life, in the order in which their records first landed.
pub(crate) type LifeNo = usize;

/// What is true of one life.
#[derive(Clone, Debug)]
pub(crate) struct LifeFacts {
    pub(crate) life: Life,
    /// When its first record landed.
    pub(crate) born: Nanos,
    /// When a record first said that it leaves, or has gone.
    pub(crate) leaves_since: Option<Nanos>,
    /// When a record closed it: `gone`, `deposed`, or a greater term of its line.
    pub(crate) closed_at: Option<Nanos>,
    /// Since when it has been known to be missing: the record was deleted, or is of another line.
    pub(crate) missing_since: Option<Nanos>,
}

impl LifeFacts {
    /// Whether O3 may count it as closed at `now`: by a record, or because it has been missing for `ttl_max`.
    pub(crate) fn is_closed(&self, now: Nanos, ttl_max: Nanos) -> bool {
        self.closed_at.is_some() || self.missing_since.is_some_and(|since| now >= since + ttl_max)
    }
}

/// An epoch of a shard, and whose it is.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) epoch: Epoch,
    pub(crate) life: Life,
    /// Whether its holder has said that it ended: by its record or by a grant.
    pub(crate) released: bool,
    /// Since when its holder's record has said so.
    pub(crate) said_at: Option<Nanos>,
    /// Whether its holder has ended it, though it may not have told anybody.
    pub(crate) resigned: bool,
    /// Whether the ledger ever named its holder as owner, or its holder acted.
    pub(crate) arrived: bool,
}

/// The facts.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    pub(crate) meta: Option<Meta>,
    /// When the founding was over.
    pub(crate) ready_at: Option<Nanos>,
    pub(crate) lives: Vec<LifeFacts>,
    /// Every page as it last made sense.
    pub(crate) pages: Vec<Option<LedgerPage>>,
    /// By shard, every epoch that was ever given, in growing order.
    pub(crate) given: Vec<Vec<Given>>,
    /// By shard, when its holding last changed.
    pub(crate) changed: Vec<Nanos>,
    /// When a page last changed hands.
    pub(crate) ledger_changed_at: Nanos,
    /// Lives that the last member record closed.
    pub(crate) just_closed: Vec<LifeNo>,
}

impl Truth {
    /// The longest lease, in nanoseconds.
    pub(crate) fn ttl_max(&self) -> Nanos {
        self.meta.as_ref().map_or(0, |meta| meta.ttl_max_ms * 1_000_000)
    }

    /// The number of a life whose record landed once.
    pub(crate) fn find(&self, life: &Life) -> Option<LifeNo> {
        self.lives.iter().position(|facts| facts.life == *life)
    }

    /// Whether a life is the one that its member's record shows.
    pub(crate) fn is_present(&self, life: &Life) -> bool {
        let latest = self.lives.iter().rfind(|facts| facts.life.id() == life.id());
        latest.is_some_and(|facts| {
            facts.life == *life && facts.closed_at.is_none() && facts.missing_since.is_none()
        })
    }

    /// When the latest life of a member began.
    pub(crate) fn latest_born(&self, id: &MemberId) -> Option<Nanos> {
        self.lives.iter().rfind(|facts| facts.life.id() == id).map(|facts| facts.born)
    }

    /// Meta was written.
    pub(crate) fn meta_landed(&mut self, now: Nanos, meta: Meta) {
        if meta.state == Formation::Ready {
            self.ready_at.get_or_insert(now);
        }
        self.pages.resize(meta.pages() as usize, None);
        self.given.resize(meta.shards as usize, Vec::new());
        self.changed.resize(meta.shards as usize, now);
        self.meta = Some(meta);
    }

    /// A member record landed.
    pub(crate) fn member_landed(&mut self, now: Nanos, id: &MemberId, record: &MemberRecord) {
        self.just_closed.clear();
        let life = record.life(id);
        if self.find(&life).is_none() {
            self.lives.push(LifeFacts {
                life,
                born: now,
                leaves_since: None,
                closed_at: None,
                missing_since: None,
            });
        }
        for (number, facts) in self.lives.iter_mut().enumerate() {
            if facts.life.id() == id {
                judge(now, facts, record, number, &mut self.just_closed);
            }
        }
        self.note_released(now, id, record);
    }

    /// A member record was deleted.
    pub(crate) fn member_deleted(&mut self, now: Nanos, id: &MemberId) {
        self.just_closed.clear();
        for facts in self.lives.iter_mut().filter(|facts| facts.life.id() == id) {
            facts.missing_since.get_or_insert(now);
        }
    }

    /// An owner sent a grant: it says that it ended.
    pub(crate) fn granted(&mut self, life: &Life, shard: ShardId, epoch: Epoch) {
        if let Some(given) = self.given_mut(shard, epoch) {
            given.released |= given.life == *life;
        }
    }

    /// A holder closed its guard for ever and ended its work.
    pub(crate) fn resigned(&mut self, life: LifeNo, shard: ShardId, epoch: Epoch) {
        let life = self.lives[life].life.clone();
        if let Some(given) = self.given_mut(shard, epoch) {
            given.resigned |= given.life == life;
        }
    }

    /// A page landed, and makes sense. The one that it replaces.
    pub(crate) fn page_landed(&mut self, now: Nanos, number: u32, page: LedgerPage) -> Option<LedgerPage> {
        let first = self.meta.as_ref().map_or(0, |meta| number * meta.page_size);
        for (place, holding) in page.holdings.iter().enumerate() {
            let shard = ShardId(first + place as u32);
            if let Some(owner) = &holding.owner {
                self.give(shard, holding.epoch, owner);
                self.arrived(shard, holding.epoch);
            }
            if let Some(heir) = &holding.heir {
                self.give(shard, heir.epoch, &heir.life);
            }
        }
        self.note_changed(now, number, first, &page);
        let place = &mut self.pages[number as usize];
        if place.as_ref().is_none_or(|old| old.holdings != page.holdings) {
            self.ledger_changed_at = now;
        }
        place.replace(page)
    }

    fn note_changed(&mut self, now: Nanos, number: u32, first: u32, page: &LedgerPage) {
        let old = self.pages[number as usize].as_ref();
        for (place, holding) in page.holdings.iter().enumerate() {
            if old.is_none_or(|old| old.holdings[place] != *holding) {
                self.changed[first as usize + place] = now;
            }
        }
    }

    /// The store went back: how a page is now, and of which line the record of a member is. Lives that were closed stay so; what
    /// records said of epochs is unsaid.
    pub(crate) fn forgot(
        &mut self,
        now: Nanos,
        page: impl Fn(u32) -> Option<LedgerPage>,
        line: impl Fn(&MemberId) -> Option<Line>,
    ) {
        for (number, place) in (0..).zip(&mut self.pages) {
            *place = page(number);
        }
        self.given.iter_mut().flatten().for_each(|given| given.said_at = None);
        for facts in &mut self.lives {
            let there = line(facts.life.id()) == Some(facts.life.incarnation().line);
            facts.missing_since = if there { None } else { facts.missing_since.or(Some(now)) };
        }
        (self.ledger_changed_at, self.changed) = (now, vec![now; self.changed.len()]);
    }

    /// Whoever was given an epoch got the shard.
    pub(crate) fn arrived(&mut self, shard: ShardId, epoch: Epoch) {
        if let Some(given) = self.given_mut(shard, epoch) {
            given.arrived = true;
        }
    }

    /// A shard, as the ledger last made sense.
    pub(crate) fn holding(&self, shard: ShardId) -> Option<&Holding> {
        let page_size = self.meta.as_ref()?.page_size;
        let page = self.pages.get((shard.0 / page_size) as usize)?.as_ref()?;
        page.holdings.get((shard.0 % page_size) as usize)
    }

    /// Whether the ledger names an epoch, as the owner's or as the heir's.
    pub(crate) fn names(&self, shard: ShardId, epoch: Epoch) -> bool {
        self.holding(shard).is_some_and(|holding| {
            holding.epoch == epoch || holding.heir.as_ref().is_some_and(|heir| heir.epoch == epoch)
        })
    }

    /// Since when every listing has shown that an epoch has ended: a record closed its holder and is still of that line.
    pub(crate) fn ended_since(&self, shard: ShardId, epoch: Epoch) -> Option<Nanos> {
        let given = self.given(shard, epoch)?;
        let facts = &self.lives[self.find(&given.life)?];
        if facts.missing_since.is_some() { None } else { facts.closed_at.or(given.said_at) }
    }

    /// Whom an epoch of a shard was given to.
    pub(crate) fn given(&self, shard: ShardId, epoch: Epoch) -> Option<&Given> {
        let all = self.given.get(shard.0 as usize)?;
        all.binary_search_by_key(&epoch, |given| given.epoch).ok().map(|place| &all[place])
    }

    /// Whether an epoch has ended: its holder released it, or is closed.
    pub(crate) fn ended(&self, now: Nanos, given: &Given) -> bool {
        given.released || self.closed(now, &given.life)
    }

    /// Whether a life is closed.
    pub(crate) fn closed(&self, now: Nanos, life: &Life) -> bool {
        let ttl_max = self.ttl_max();
        self.find(life).is_some_and(|number| self.lives[number].is_closed(now, ttl_max))
    }

    /// The record of a life does not say any more what it said.
    pub(crate) fn unsaid(&mut self, life: &Life) {
        for given in self.given.iter_mut().flatten().filter(|given| given.life == *life) {
            given.said_at = None;
        }
    }

    fn note_released(&mut self, now: Nanos, id: &MemberId, record: &MemberRecord) {
        for (shard, epoch) in record.released.iter() {
            let incarnation = record.incarnation();
            if let Some(given) = self.given_mut(shard, epoch)
                && given.life.id() == id
                && given.life.incarnation() == incarnation
            {
                given.released = true;
                given.said_at.get_or_insert(now);
            }
        }
    }

    fn given_mut(&mut self, shard: ShardId, epoch: Epoch) -> Option<&mut Given> {
        let all = self.given.get_mut(shard.0 as usize)?;
        all.binary_search_by_key(&epoch, |given| given.epoch).ok().map(|place| &mut all[place])
    }

    fn give(&mut self, shard: ShardId, epoch: Epoch, life: &Life) {
        let all = &mut self.given[shard.0 as usize];
        if let Err(place) = all.binary_search_by_key(&epoch, |given| given.epoch) {
            let life = life.clone();
            let given =
                Given { epoch, life, released: false, said_at: None, resigned: false, arrived: false };
            all.insert(place, given);
        }
    }
}

/// What a record says of a life of the same member.
fn judge(
    now: Nanos,
    facts: &mut LifeFacts,
    record: &MemberRecord,
    number: LifeNo,
    just_closed: &mut Vec<LifeNo>,
) {
    let own = facts.life.incarnation();
    if own.line != record.line {
        facts.missing_since.get_or_insert(now);
        return;
    }
    facts.missing_since = None;
    if own.term == record.term && record.state != MemberState::Active {
        facts.leaves_since.get_or_insert(now);
    }
    let over = matches!(record.state, MemberState::Gone | MemberState::Deposed);
    if own.term < record.term || (own.term == record.term && over) {
        facts.closed_at.get_or_insert(now);
        just_closed.push(number);
    }
}
