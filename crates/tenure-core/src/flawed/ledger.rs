//! Broken rules of the ledger (P1–P5, founding, G3).

use super::{Flaw, KEPT, Rules};
use crate::ids::Epoch;
use crate::message::{Reply, When};
use crate::record::{Formation, Holding, Version};
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

    pub(crate) fn moves_by_promise(self) -> bool {
        KEPT.moves_by_promise() && !self.has(Flaw::OwnerOverLiveOwner)
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

    pub(crate) fn creates_lost_pages(self) -> bool {
        KEPT.creates_lost_pages() || self.has(Flaw::PageRecreated)
    }
}
