//! The ledger: which step a holding is due for, at which epoch, and how pages come to be (P1–P5, founding, G3).

use super::Rules;
use crate::ids::{Epoch, Life};
use crate::message::{Reply, When};
use crate::record::{Formation, Heir, Holding, Meta, Version};

/// A step that must be taken, whatever the balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepDue {
    /// P1: it needs an owner.
    Appoint,
    /// P2: its heir becomes owner.
    Succeed,
    /// P4, or P5 if nobody can be named: its heir is replaced.
    PromiseAnew,
}

impl Rules {
    /// P1, P2, P4: what a holding is due for, by whether its owner and its heir, if it has one, have ended.
    pub(crate) fn step_due(self, owner_ended: bool, heir_ended: Option<bool>) -> Option<StepDue> {
        match (owner_ended, heir_ended) {
            (true, None | Some(true)) => Some(StepDue::Appoint),
            (true, Some(false)) => Some(StepDue::Succeed),
            (false, Some(true)) => Some(StepDue::PromiseAnew),
            (false, None | Some(false)) => None,
        }
    }

    /// P3, P4: a shard whose owner has not ended is promised, never given: the owner stays, and the heir waits.
    pub(crate) fn promised(self, holding: &Holding, to: &Life, epoch: Epoch) -> Holding {
        let heir = Some(Heir { life: to.clone(), epoch });
        Holding { heir, top: epoch.max(holding.top), ..holding.clone() }
    }

    /// P1, P3, P4: a new owner or heir gets an epoch beyond all that were ever given out.
    pub(crate) fn next_epoch(self, holding: &Holding) -> Epoch {
        holding.top.next()
    }

    /// P5: `top` never falls, also where an heir never acted.
    pub(crate) fn top_after_call_off(self, holding: &Holding) -> Epoch {
        holding.top
    }

    /// P1–P5: a page is written only over the version that it was made from.
    pub(crate) fn turns_over(self, made_from: &Version) -> When {
        When::Is(made_from.clone())
    }

    /// P1–P5: only a page known to have landed is believed.
    pub(crate) fn page_landed(self, reply: &Reply) -> Option<Version> {
        reply.stored().cloned()
    }

    /// Founding: nobody joins before the cluster is ready.
    pub(crate) fn is_ready(self, state: Formation) -> bool {
        state == Formation::Ready
    }

    /// Founding: a cluster is set to ready once every page was read back.
    pub(crate) fn may_set_ready(self, pages_read: u32, pages: u32) -> bool {
        pages_read >= pages
    }

    /// G3: once a cluster is ready no page is ever created: one that is absent was lost, and is taken for nothing else.
    pub(crate) fn page_found(self, reply: Reply, _number: u32, _meta: &Meta) -> Reply {
        reply
    }

    /// P1, P3, P4: nobody gets an epoch that is beyond what anybody reads: a page that had one would be lost for all.
    pub(crate) fn has_next(self, holding: &Holding) -> bool {
        holding.has_next()
    }
}
