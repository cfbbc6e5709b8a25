//! Broken rules of the ledger (P1–P5, founding, G3).

use super::{ANY_VERSION, Flaw, KEPT, Rules};
use crate::ids::{Epoch, Life};
use crate::message::{Reply, Versioned, When};
use crate::record::{Formation, Holding, LedgerPage, Meta, Version};
use crate::rules::StepDue;

impl Rules {
    pub(crate) fn step_due(self, owner_ended: bool, heir_ended: Option<bool>) -> Option<StepDue> {
        match (owner_ended, heir_ended) {
            (true, Some(false)) if self.has(Flaw::OwnerOverLiveHeir) => Some(StepDue::Appoint),
            (false, Some(true)) if self.has(Flaw::NoNewHeir) => None,
            (false, Some(false)) if self.has(Flaw::HeirOwnsOverLiveOwner) => Some(StepDue::Succeed),
            (false, Some(false)) if self.has(Flaw::HeirOverLiveHeir) => Some(StepDue::PromiseAnew),
            (true | false, None | Some(_)) => KEPT.step_due(owner_ended, heir_ended),
        }
    }

    pub(crate) fn promised(self, holding: &Holding, to: &Life, epoch: Epoch) -> Holding {
        let given = self.has(Flaw::OwnerOverLiveOwner) && holding.heir.is_none();
        let promised = KEPT.promised(holding, to, epoch);
        if given { Holding { owner: Some(to.clone()), epoch, heir: None, ..promised } } else { promised }
    }

    pub(crate) fn next_epoch(self, holding: &Holding) -> Epoch {
        if self.has(Flaw::EpochFromEpoch) { holding.epoch.next() } else { KEPT.next_epoch(holding) }
    }

    pub(crate) fn top_after_call_off(self, holding: &Holding) -> Epoch {
        if self.has(Flaw::CalledOffForgetsTop) { holding.epoch } else { KEPT.top_after_call_off(holding) }
    }

    pub(crate) fn turns_over(self, made_from: &Version) -> When {
        self.condition(Flaw::PageAnyVersion, KEPT.turns_over(made_from))
    }

    pub(crate) fn page_landed(self, reply: &Reply) -> Option<Version> {
        let believed = self.has(Flaw::UnknownPageCounts) && matches!(reply, Reply::Failed(_));
        KEPT.page_landed(reply).or_else(|| believed.then(|| Version::new("unknown")))
    }

    pub(crate) fn is_ready(self, state: Formation) -> bool {
        KEPT.is_ready(state) || self.has(Flaw::FormingIsReady)
    }

    pub(crate) fn may_set_ready(self, pages_read: u32, pages: u32) -> bool {
        KEPT.may_set_ready(pages_read, pages) || self.has(Flaw::ReadyBeforePages)
    }

    pub(crate) fn page_found(self, reply: Reply, number: u32, meta: &Meta) -> Reply {
        if !self.has(Flaw::PageRecreated) || reply != Reply::Absent {
            return KEPT.page_found(reply, number, meta);
        }
        let blank = LedgerPage::blank(meta.lineage, meta.page_len(number));
        Reply::Found(Versioned { value: blank.encode(), version: Version::new(ANY_VERSION) })
    }

    pub(crate) fn has_next(self, holding: &Holding) -> bool {
        KEPT.has_next(holding) || self.has(Flaw::SpentGoesOn)
    }
}
