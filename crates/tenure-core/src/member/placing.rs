//! Where shards should live: the plan turned into steps.

use std::collections::BTreeMap;

use super::active::Active;
use super::knowledge::Knowledge;
use super::needs::Need;
use crate::Rules;
use crate::config::Config;
use crate::ids::{Life, MemberId, ShardId};
use crate::ledger::Step;
use crate::moment::Moment;
use crate::plan::{Balance, Candidate, Picture, Placement, plan};
use crate::record::Holding;

/// A move that would be better for the balance.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub page: u32,
    pub index: usize,
    pub changed_at: Moment,
    pub step: Step,
}

/// The members that shards can live at, by their lives and by their names: the values are indices into the candidates.
struct Houses<'a> {
    lives: BTreeMap<&'a Life, u32>,
    ids: BTreeMap<&'a MemberId, (u32, &'a Active)>,
}

impl<'a> Houses<'a> {
    fn new(active: &[&'a Active]) -> Self {
        let lives = active.iter().zip(0..).map(|(active, index)| (&active.life, index)).collect();
        let ids =
            active.iter().zip(0..).map(|(active, index)| (active.life.id(), (index, *active))).collect();
        Self { lives, ids }
    }

    /// The home of a shard that `id` held, if it is back: not if it gave the shard up because it can't serve it.
    fn former(&self, id: &MemberId, shard: ShardId, rules: Rules) -> Option<u32> {
        let (index, active) = self.ids.get(id)?;
        rules.returns_to_former(active.is_willing(shard)).then_some(*index)
    }
}

/// Places shards on members, by what is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placing<'a> {
    pub knowledge: Knowledge<'a>,
    pub active: &'a [Active],
}

impl<'a> Placing<'a> {
    fn config(&self) -> &'a Config {
        self.knowledge.ends.config
    }

    /// Where each shard should live, among the members that were seen renewed of late (C6).
    pub(super) fn planned(&self) -> Vec<Option<&'a Life>> {
        let active: Vec<&Active> =
            self.active.iter().filter(|active| self.knowledge.is_fresh(active.life.id())).collect();
        let candidates = self.candidates(&active);
        let homes = self.homes(&active);
        let planned = plan(self.placement(), &self.picture(&candidates, &homes));
        planned.into_iter().map(|home| home.map(|home| &active[home as usize].life)).collect()
    }

    /// The steps for the needs of a page; `planned` says where each shard should live.
    pub(super) fn forced(
        &self,
        number: u32,
        needs: &[(usize, Need)],
        planned: &[Option<&Life>],
    ) -> Vec<(usize, Step)> {
        let book = self.knowledge.book;
        let Some(page) = &book.leaves()[number as usize].page else { return Vec::new() };
        let step = |(index, need): &(usize, Need)| {
            let home = planned.get(book.shard(number, *index).0 as usize).copied().flatten();
            need.step(&page.holdings[*index], home, self.config().rules).map(|step| (*index, step))
        };
        needs.iter().filter_map(step).collect()
    }

    /// Moves that lower the imbalance, each by itself (C4); under an external placement, whatever it asks for.
    pub(super) fn wishes(&self) -> Vec<Wish> {
        let active: Vec<&Active> = self.active.iter().collect();
        let candidates = self.candidates(&active);
        let homes = self.homes(&active);
        let picture = self.picture(&candidates, &homes);
        let mut balance = Balance::new(&picture);
        let placement = self.placement();
        let planned = plan(placement, &picture);
        let asks = self.config().rules.asks_for_worth(placement.places().evens_out());
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
        let book = self.knowledge.book;
        let page = shard.0 / book.meta().page_size;
        let index = (shard.0 % book.meta().page_size) as usize;
        let leaf = &book.leaves()[page as usize];
        let holding = leaf.page.as_ref()?.holdings.get(index)?;
        if holding.heir.is_some() || !self.config().rules.has_next(holding) || holding.owner.as_ref()? == to {
            return None;
        }
        Some(Wish { page, index, changed_at: leaf.changed_at[index], step: Step::Promise(to.clone()) })
    }

    /// Where each shard is or will be. A shard whose owner has ended stays with the id that held it, if that is back.
    fn homes(&self, active: &[&Active]) -> Vec<Option<u32>> {
        let book = self.knowledge.book;
        let houses = Houses::new(active);
        let mut all = Vec::with_capacity(book.meta().shards as usize);
        for (number, leaf) in (0..).zip(book.leaves()) {
            let holdings = leaf.page.iter().flat_map(|page| page.holdings.iter().enumerate());
            all.extend(
                holdings.map(|(index, holding)| self.home(book.shard(number, index), holding, &houses)),
            );
        }
        all
    }

    fn home(&self, shard: ShardId, holding: &Holding, houses: &Houses<'_>) -> Option<u32> {
        let (ends, rules) = (&self.knowledge.ends, self.config().rules);
        if let Some(heir) = rules.arriving(holding.heir.as_ref())
            && !ends.has_ended(&heir.life, shard, heir.epoch)
        {
            return houses.lives.get(&heir.life).copied();
        }
        let owner = holding.owner.as_ref()?;
        if !ends.has_ended(owner, shard, holding.epoch) {
            return houses.lives.get(owner).copied();
        }
        houses.former(owner.id(), shard, rules)
    }

    fn candidates(&self, active: &[&Active]) -> Vec<Candidate> {
        let Config { id, rules, .. } = self.config();
        let named = |candidate: &Candidate| Candidate {
            id: rules.planned_name(&candidate.id, id),
            ..candidate.clone()
        };
        active.iter().map(|active| named(&active.candidate)).collect()
    }

    fn picture<'b>(&self, candidates: &'b [Candidate], homes: &'b [Option<u32>]) -> Picture<'b> {
        Picture { candidates, homes, spread_zones: self.knowledge.book.meta().spread_zones }
    }

    fn placement(&self) -> Placement {
        Placement::parse(&self.knowledge.book.meta().placement).unwrap_or_else(|| self.config().placement)
    }
}
