//! What the ledger says of us: of which shards we are owner or heir, with which evidence (W1), and which we hold though it names us no
//! more (W4).

use std::collections::BTreeMap;

use super::knowledge::Knowledge;
use crate::Rules;
use crate::ids::{Epoch, Life, ShardId};
use crate::message::{Grant, Notice};
use crate::record::{Heir, Holding};

/// What one holding says of us.
#[derive(Debug)]
pub(super) enum Claim {
    /// We own it, and hand it on to the heir, if one is named that has not ended.
    Owner { epoch: Epoch, heir: Option<Heir> },
    /// We are to have it; `ended` once there is evidence that its owner has let go.
    Heir { epoch: Epoch, ended: bool },
}

/// The owners' words to us as their heirs.
pub(super) type Grants = BTreeMap<ShardId, Grant>;

/// Reads what the ledger says of one life.
#[derive(Debug)]
pub(super) struct Claims<'a> {
    pub life: &'a Life,
    pub knowledge: Knowledge<'a>,
    pub grants: &'a Grants,
}

impl Claims<'_> {
    /// Every holding that names us, as owner or heir.
    pub(super) fn all(&self) -> Vec<(ShardId, Claim)> {
        let book = self.knowledge.book;
        let mut ours = Vec::new();
        for (number, leaf) in (0..).zip(book.leaves()) {
            let Some(page) = &leaf.page else { continue };
            let concerned = self.rules().concerned(leaf.naming(self.life), page.holdings.len()).into_iter();
            let holdings = concerned.map(|index| (book.shard(number, index), &page.holdings[index]));
            ours.extend(holdings.filter_map(|(shard, holding)| Some((shard, self.claim(shard, holding)?))));
        }
        ours
    }

    fn claim(&self, shard: ShardId, holding: &Holding) -> Option<Claim> {
        if self.is_owner(holding) {
            let heir = holding.heir.clone();
            let heir = heir.filter(|heir| !self.knowledge.ends.has_ended(&heir.life, shard, heir.epoch));
            return Some(Claim::Owner { epoch: holding.epoch, heir });
        }
        let heir = holding.heir.as_ref().filter(|_| self.is_heir(holding))?;
        let owner_ended = self.knowledge.ends.owner_ended(shard, holding);
        let ended = self.rules().may_succeed(owner_ended, self.is_granted(shard, heir, holding));
        Some(Claim::Heir { epoch: heir.epoch, ended })
    }

    fn rules(&self) -> Rules {
        self.knowledge.ends.config.rules
    }

    fn is_owner(&self, holding: &Holding) -> bool {
        holding.owner.as_ref().is_some_and(|owner| self.rules().is_owner(owner, self.life))
    }

    fn is_heir(&self, holding: &Holding) -> bool {
        holding.heir.as_ref().is_some_and(|heir| self.rules().is_heir(&heir.life, self.life))
    }

    fn is_granted(&self, shard: ShardId, heir: &Heir, holding: &Holding) -> bool {
        let (Some(grant), Some(owner)) = (self.grants.get(&shard), &holding.owner) else { return false };
        let due = Grant {
            lineage: self.knowledge.book.meta().lineage,
            shard,
            owner: owner.clone(),
            owner_epoch: holding.epoch,
            heir: heir.life.clone(),
            heir_epoch: heir.epoch,
        };
        self.rules().grant_counts(grant, &due)
    }

    /// The notice that a shard which we hold at `epoch` is not ours, if the ledger says so.
    pub(super) fn overruled(&self, shard: ShardId, epoch: Epoch) -> Option<Notice> {
        let holding = self.knowledge.book.holding(shard)?;
        let named = self.is_owner(holding) && holding.epoch == epoch
            || self.is_heir(holding) && holding.heir.as_ref().is_some_and(|heir| heir.epoch == epoch);
        let (owner, epoch) = (holding.owner.clone(), holding.epoch);
        self.rules().is_overruled(named).then_some(Notice::Overruled { shard, owner, epoch })
    }
}
