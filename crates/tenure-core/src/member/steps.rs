//! Which steps the ledger needs, and which it would be better for: the plan turned into transitions.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::planning::Active;
use crate::flaw::Flaw;
use crate::ids::{Epoch, Life, MemberId, ShardId};
use crate::ledger::Step;
use crate::moment::Moment;
use crate::plan::{Balance, Candidate, Picture, Placement, plan};
use crate::record::{Holding, MemberState};
use crate::roster::Trust;

/// What a holding needs, whatever the balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// It never had an owner.
    First,
    /// Its owner has ended, and there is no heir who could take it.
    Owner,
    /// Its owner has ended, and its heir takes it.
    Inherit,
    /// Its heir has ended, its owner has not.
    Heir,
    /// Its owner leaves, and it has no heir.
    Promise,
}

impl Need {
    /// The first plan of a new cluster waits until its members are settled.
    pub(super) fn waits(self) -> bool {
        self == Self::First
    }
}

/// A move that would be better for the balance.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub page: u32,
    pub index: usize,
    pub changed_at: Moment,
    pub step: Step,
}

/// Where each shard is, or will be: an index into the candidates.
struct Homes<'a> {
    lives: BTreeMap<&'a Life, u32>,
    ids: BTreeMap<&'a MemberId, (u32, &'a Candidate)>,
}

impl<'a> Homes<'a> {
    fn new(active: &[&'a Active]) -> Self {
        let lives = active.iter().zip(0..).map(|(active, index)| (&active.life, index)).collect();
        let named = |(active, index): (&&'a Active, u32)| (active.life.id(), (index, &active.candidate));
        let ids = active.iter().zip(0..).map(named).collect();
        Self { lives, ids }
    }

    /// The home of a shard that `id` held, if it is back: not if it gave the shard up because it can't serve it.
    /// `returns` is the seeded bug X29.
    fn former(&self, id: &MemberId, shard: ShardId, returns: bool) -> Option<u32> {
        let (index, candidate) = self.ids.get(id)?;
        (returns || candidate.avoids.binary_search(&shard).is_err()).then_some(*index)
    }
}

impl Machine {
    pub(super) fn needs_of(&self, now: Moment, number: u32) -> Vec<(usize, Need)> {
        let Some(book) = &self.book else { return Vec::new() };
        let Some((page, _)) = book.leaves()[number as usize].writable() else { return Vec::new() };
        let holdings = page.holdings.iter().enumerate();
        holdings
            .filter_map(|(index, holding)| {
                self.need(now, book.shard(number, index), holding).map(|need| (index, need))
            })
            .collect()
    }

    fn need(&self, now: Moment, shard: ShardId, holding: &Holding) -> Option<Need> {
        let flaws = self.config.flaws;
        let owner_ended = self.owner_ended(now, shard, holding);
        let heir_ended = holding.heir.as_ref().map(|heir| self.has_ended(now, &heir.life, shard, heir.epoch));
        match (owner_ended, heir_ended) {
            (true, None | Some(true)) if !holding.has_next() => None,
            (true, None) if holding.top == Epoch(0) => Some(Need::First),
            (true, None | Some(true)) => Some(Need::Owner),
            (true, Some(false)) if flaws.has(Flaw::OwnerOverLiveHeir) => Some(Need::Owner),
            (true, Some(false)) => Some(Need::Inherit),
            (false, Some(true)) if flaws.has(Flaw::NoNewHeir) => None,
            (false, Some(true)) => Some(Need::Heir),
            (false, Some(false)) if flaws.has(Flaw::HeirOwnsOverLiveOwner) => Some(Need::Inherit),
            (false, Some(false)) if flaws.has(Flaw::HeirOverLiveHeir) => Some(Need::Heir),
            (false, Some(false)) => None,
            (false, None) => (holding.has_next() && self.owner_leaves(holding)).then_some(Need::Promise),
        }
    }

    fn owner_leaves(&self, holding: &Holding) -> bool {
        let Some(owner) = &holding.owner else { return false };
        let record = self.roster.entry(owner.id()).and_then(|entry| entry.readable());
        let hands_on = !self.config.flaws.has(Flaw::DrainedKeepsAll);
        let leaves = record.is_some_and(|record| {
            record.incarnation() == owner.incarnation()
                && (record.state == MemberState::Leaving || record.drained && hands_on)
        });
        leaves && self.planning.has_others(owner.id())
    }

    /// The steps for the needs of a page, placed on members that were seen renewed of late (C6).
    pub(super) fn forced_steps(
        &self,
        now: Moment,
        number: u32,
        needs: &[(usize, Need)],
    ) -> Vec<(usize, Step)> {
        let active: Vec<&Active> =
            self.planning.active.iter().filter(|active| self.is_fresh(now, active.life.id())).collect();
        let (Some(book), false) = (&self.book, active.is_empty()) else { return Vec::new() };
        let places = needs.iter().any(|(_, need)| *need != Need::Inherit);
        let homes = if places { self.placed(&active, &self.homes(now, &active)) } else { Vec::new() };
        let Some(page) = &book.leaves()[number as usize].page else { return Vec::new() };
        let step = |index: usize, need: Need| {
            let home = homes.get(book.shard(number, index).0 as usize).copied().flatten();
            let home = home.map(|home| active[home as usize].life.clone());
            self.step_for(need, &page.holdings[index], home)
        };
        needs.iter().filter_map(|(index, need)| step(*index, *need).map(|step| (*index, step))).collect()
    }

    fn step_for(&self, need: Need, holding: &Holding, home: Option<Life>) -> Option<Step> {
        let home = home.filter(|_| holding.has_next());
        let elsewhere = home.clone().filter(|home| holding.owner.as_ref() != Some(home));
        match need {
            Need::First | Need::Owner => home.map(Step::Give),
            Need::Inherit => Some(Step::Inherit),
            Need::Heir => Some(elsewhere.map_or(Step::CallOff, Step::Promise)),
            Need::Promise => elsewhere.map(Step::Promise),
        }
    }

    /// Whether a member was seen renewed of late, so that it may be given shards (C6).
    pub(super) fn is_fresh(&self, now: Moment, id: &MemberId) -> bool {
        *id == self.config.id
            || self.config.flaws.has(Flaw::GivenToUnseen)
            || self.roster.entry(id).is_some_and(|entry| entry.trust(now) == Trust::Renewed)
    }

    /// Where each shard is or will be. A shard whose owner has ended stays with the id that held it, if that is back.
    fn homes(&self, now: Moment, active: &[&Active]) -> Vec<Option<u32>> {
        let Some(book) = &self.book else { return Vec::new() };
        let homes = Homes::new(active);
        let mut all = Vec::with_capacity(book.meta().shards as usize);
        for (number, leaf) in (0..).zip(book.leaves()) {
            let holdings = leaf.page.iter().flat_map(|page| page.holdings.iter().enumerate());
            all.extend(
                holdings.map(|(index, holding)| self.home(now, book.shard(number, index), holding, &homes)),
            );
        }
        all
    }

    fn home(&self, now: Moment, shard: ShardId, holding: &Holding, homes: &Homes<'_>) -> Option<u32> {
        let counted = !self.config.flaws.has(Flaw::HeirsNotCounted);
        if let Some(heir) = holding.heir.as_ref().filter(|_| counted)
            && !self.has_ended(now, &heir.life, shard, heir.epoch)
        {
            return homes.lives.get(&heir.life).copied();
        }
        let owner = holding.owner.as_ref()?;
        if !self.has_ended(now, owner, shard, holding.epoch) {
            return homes.lives.get(owner).copied();
        }
        let returns = self.config.flaws.has(Flaw::ReturnedToFailed);
        homes.former(owner.id(), shard, returns).filter(|_| !self.config.flaws.has(Flaw::FormerForgotten))
    }

    fn placed(&self, active: &[&Active], homes: &[Option<u32>]) -> Vec<Option<u32>> {
        let candidates = self.candidates(active);
        plan(self.placement(), &self.picture(&candidates, homes))
    }

    fn candidates(&self, active: &[&Active]) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = active.iter().map(|active| active.candidate.clone()).collect();
        if self.config.flaws.has(Flaw::PlanByPlanner) {
            for candidate in &mut candidates {
                let own = format!("{}-{}", candidate.id, self.config.id).parse();
                candidate.id = own.unwrap_or_else(|_| candidate.id.clone());
            }
        }
        candidates
    }

    fn picture<'a>(&self, candidates: &'a [Candidate], homes: &'a [Option<u32>]) -> Picture<'a> {
        let spread_zones = self.book.as_ref().is_some_and(|book| book.meta().spread_zones);
        Picture { candidates, homes, spread_zones }
    }

    fn placement(&self) -> Placement {
        let named = self.book.as_ref().and_then(|book| Placement::parse(&book.meta().placement));
        named.unwrap_or(self.config.placement)
    }

    /// Moves that lower the imbalance, each by itself (C4); under an external placement, whatever it asks for.
    pub(super) fn wishes(&self, now: Moment) -> Vec<Wish> {
        let active: Vec<&Active> = self.planning.active.iter().collect();
        let candidates = self.candidates(&active);
        let homes = self.homes(now, &active);
        let picture = self.picture(&candidates, &homes);
        let mut balance = Balance::new(&picture);
        let placement = self.placement();
        let planned = plan(placement, &picture);
        let asks = placement.places().evens_out() && !self.config.flaws.has(Flaw::WorthNotAsked);
        let mut wishes = Vec::new();
        for (shard, (from, to)) in (0..).zip(homes.iter().zip(&planned)) {
            let (Some(from), Some(to)) = (*from, *to) else { continue };
            if from == to || asks && !balance.improves(from, to) {
                continue;
            }
            if let Some(wish) = self.wish(ShardId(shard), &active[to as usize].life) {
                balance.moved(from, to);
                wishes.push(wish);
            }
        }
        wishes
    }

    /// A move of one shard, if nothing is under way with it.
    fn wish(&self, shard: ShardId, to: &Life) -> Option<Wish> {
        let book = self.book.as_ref()?;
        let page = shard.0 / book.meta().page_size;
        let index = (shard.0 % book.meta().page_size) as usize;
        let leaf = &book.leaves()[page as usize];
        let holding = leaf.page.as_ref()?.holdings.get(index)?;
        if holding.heir.is_some() || !holding.has_next() || holding.owner.as_ref()? == to {
            return None;
        }
        let taken = self.config.flaws.has(Flaw::OwnerOverLiveOwner);
        let step = if taken { Step::Give(to.clone()) } else { Step::Promise(to.clone()) };
        Some(Wish { page, index, changed_at: leaf.changed_at[index], step })
    }
}
