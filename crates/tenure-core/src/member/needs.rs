//! What the holdings of a page need, whatever the balance.

use super::knowledge::{Ends, Knowledge};
use crate::Rules;
use crate::ids::{Epoch, Life, MemberId, ShardId};
use crate::ledger::{Leaf, Step};
use crate::record::{Holding, MemberState};
use crate::rules::StepDue;

/// What a holding needs, whatever the balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// It never had an owner.
    AppointFirst,
    /// Its owner has ended, and there is no heir who could take it.
    Appoint,
    /// Its owner has ended, and its heir takes it.
    Succeed,
    /// Its heir has ended, its owner has not.
    PromiseAnew,
    /// Its owner leaves, and it has no heir.
    Promise,
}

impl Need {
    /// The first plan of a new cluster waits until its members are settled.
    pub(super) fn waits(self) -> bool {
        self == Self::AppointFirst
    }

    /// The step that fills it, if the shard is to live at `home`.
    pub(super) fn step(self, holding: &Holding, home: Option<&Life>, rules: Rules) -> Option<Step> {
        let home = home.filter(|_| rules.has_next(holding)).cloned();
        let elsewhere = home.clone().filter(|home| holding.owner.as_ref() != Some(home));
        match self {
            Self::AppointFirst | Self::Appoint => home.map(Step::Appoint),
            Self::Succeed => Some(Step::Succeed),
            Self::PromiseAnew => Some(elsewhere.map_or(Step::CallOff, Step::Promise)),
            Self::Promise => elsewhere.map(Step::Promise),
        }
    }
}

/// Finds what the holdings of a page need.
pub(super) struct Needs<'a> {
    pub knowledge: Knowledge<'a>,
    /// Whether somebody else than the given member could take shards.
    pub has_others: &'a dyn Fn(&MemberId) -> bool,
}

impl Needs<'_> {
    /// The needs of a page, in the order of its holdings. Only those are asked of whose lives there is something to say: most
    /// owners neither end nor leave.
    pub(super) fn of(&self, number: u32, leaf: &Leaf) -> Vec<(usize, Need)> {
        let Some((page, _)) = leaf.writable() else { return Vec::new() };
        let need = |index: &usize| {
            let shard = self.knowledge.book.shard(number, *index);
            self.need(shard, page.holdings.get(*index)?).map(|need| (*index, need))
        };
        self.doubtful(leaf).iter().filter_map(need).collect()
    }

    /// The holdings that may need something.
    fn doubtful(&self, leaf: &Leaf) -> Vec<usize> {
        let told = leaf.lives().filter(|(life, _)| self.is_remarkable(life));
        let mut indices: Vec<usize> = told.flat_map(|(_, indices)| indices).copied().collect();
        indices.extend(leaf.unowned());
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    fn is_remarkable(&self, life: &Life) -> bool {
        let ends = &self.knowledge.ends;
        ends.config.rules.is_remarkable(|| {
            ends.life == Some(life)
                || ends.roster.is_closed(life)
                || ends.roster.record_of(life).is_some_and(|record| {
                    record.drained || record.state == MemberState::Leaving || !record.released.is_empty()
                })
        })
    }

    fn need(&self, shard: ShardId, holding: &Holding) -> Option<Need> {
        let ends = &self.knowledge.ends;
        let owner_ended = ends.owner_ended(shard, holding);
        let heir_ended = holding.heir.as_ref().map(|heir| ends.has_ended(&heir.life, shard, heir.epoch));
        let rules = ends.config.rules;
        match rules.step_due(owner_ended, heir_ended) {
            Some(StepDue::Appoint) if !rules.has_next(holding) => None,
            Some(StepDue::Appoint) if holding.top == Epoch(0) => Some(Need::AppointFirst),
            Some(StepDue::Appoint) => Some(Need::Appoint),
            Some(StepDue::Succeed) => Some(Need::Succeed),
            Some(StepDue::PromiseAnew) => Some(Need::PromiseAnew),
            None if holding.heir.is_some() || !rules.has_next(holding) => None,
            None => self.owner_leaves(holding).then_some(Need::Promise),
        }
    }

    fn owner_leaves(&self, holding: &Holding) -> bool {
        let Some(owner) = &holding.owner else { return false };
        let Ends { config, roster, .. } = self.knowledge.ends;
        let leaves = roster.record_of(owner).is_some_and(|record| {
            config.rules.hands_on(record.state == MemberState::Leaving, record.drained)
        });
        leaves && (self.has_others)(owner.id())
    }
}
