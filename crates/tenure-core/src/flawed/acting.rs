//! Broken rules of acting and of stopping (W1, W4, L5, P4, P5, G1).

use std::collections::BTreeMap;

use super::{Flaw, KEPT, Rules};
use crate::ids::{Epoch, Life, ShardId};
use crate::message::Grant;
use crate::record::Holding;

impl Rules {
    pub(crate) fn is_owner(self, named: &Life, me: &Life) -> bool {
        KEPT.is_owner(named, me) || self.has(Flaw::OwnershipById) && named.id() == me.id()
    }

    pub(crate) fn is_heir(self, named: &Life, me: &Life) -> bool {
        KEPT.is_heir(named, me) || self.has(Flaw::GrantById) && named.id() == me.id()
    }

    pub(crate) fn may_succeed(self, owner_ended: bool, granted: bool) -> bool {
        KEPT.may_succeed(owner_ended, granted) || self.has(Flaw::HeirActsWithoutEvidence)
    }

    pub(crate) fn grant_counts(self, said: &Grant, due: &Grant) -> bool {
        let mut said = said.clone();
        if self.has(Flaw::GrantById) && said.owner.id() == due.owner.id() && said.heir.id() == due.heir.id() {
            (said.owner, said.heir) = (due.owner.clone(), due.heir.clone());
        }
        if self.has(Flaw::GrantAnyEpoch) {
            (said.owner_epoch, said.heir_epoch) = (due.owner_epoch, due.heir_epoch);
        }
        KEPT.grant_counts(&said, due)
    }

    // Many a broken rule would show in holdings that these two leave out.

    pub(crate) fn concerned(self, naming: &[usize], all: usize) -> Vec<usize> {
        if self.broken.is_some() { (0..all).collect() } else { KEPT.concerned(naming, all) }
    }

    pub(crate) fn is_remarkable(self, told: impl FnOnce() -> bool) -> bool {
        self.broken.is_some() || KEPT.is_remarkable(told)
    }

    pub(crate) fn is_overruled(self, named: bool) -> bool {
        KEPT.is_overruled(named) && !self.has(Flaw::OverruledGoesOn)
    }

    pub(crate) fn may_grant(self, has_ended: bool) -> bool {
        KEPT.may_grant(has_ended) || self.has(Flaw::GrantBeforeClose)
    }

    pub(crate) fn may_release(self, has_ended: bool) -> bool {
        KEPT.may_release(has_ended) || self.has(Flaw::ReleaseWhileWorking)
    }

    pub(crate) fn highest_released(self, before: Option<Epoch>, this: Epoch) -> Epoch {
        let forgets = self.has(Flaw::ReleaseNotRemembered);
        if forgets { Epoch(0) } else { KEPT.highest_released(before, this) }
    }

    pub(crate) fn own_epoch_ended(self, released: bool) -> bool {
        KEPT.own_epoch_ended(released) && !self.has(Flaw::ReleasedNeverWritten)
    }

    pub(crate) fn outlasting(self, memory: BTreeMap<ShardId, Epoch>) -> BTreeMap<ShardId, Epoch> {
        if self.has(Flaw::ReleaseForgottenEarly) { BTreeMap::new() } else { KEPT.outlasting(memory) }
    }

    pub(crate) fn written_of(self, shard: ShardId, released: Epoch) -> Option<(ShardId, Epoch)> {
        KEPT.written_of(shard, released).filter(|_| !self.has(Flaw::ReleasedNeverWritten))
    }

    pub(crate) fn may_forget(self, holding: Option<&Holding>, epoch: Epoch, is_written: bool) -> bool {
        let without_heir = |holding: &Holding| Holding { heir: None, ..holding.clone() };
        let blind = holding.filter(|_| self.has(Flaw::HeirReleaseForgotten)).map(without_heir);
        let early = self.has(Flaw::ReleaseForgottenEarly) && is_written;
        early || KEPT.may_forget(blind.as_ref().or(holding), epoch, is_written)
    }

    pub(crate) fn declines(self, leaving: bool, begun: bool) -> bool {
        KEPT.declines(leaving, begun) && !self.has(Flaw::HeirDoesNotDecline)
    }

    pub(crate) fn gives_back(self, begun: bool) -> bool {
        KEPT.gives_back(begun) || self.has(Flaw::GivesBackBegun)
    }

    pub(crate) fn resumes(self, alone: bool) -> bool {
        KEPT.resumes(alone) && !self.has(Flaw::NeverResumes)
    }

    pub(crate) fn starts_again(self, recalled: bool) -> bool {
        KEPT.starts_again(recalled) && !self.has(Flaw::RecalledStaysFinished)
    }

    pub(crate) fn hands_on(self, leaving: bool, drained: bool) -> bool {
        KEPT.hands_on(leaving, drained && !self.has(Flaw::DrainedKeepsAll))
    }
}
