//! Broken rules of settling (C1–C6).

use std::time::Duration;

use super::{Flaw, KEPT, Rules};
use crate::ids::MemberId;
use crate::moment::{Moment, Timing};
use crate::record::{Heir, MemberState};

impl Rules {
    pub(crate) fn planned_name(self, candidate: &MemberId, planner: &MemberId) -> MemberId {
        let own = self.has(Flaw::PlanByPlanner).then(|| format!("{candidate}-{planner}").parse().ok());
        own.flatten().unwrap_or_else(|| KEPT.planned_name(candidate, planner))
    }

    pub(crate) fn forced_turn(self, rank: u32, late: u32) -> u32 {
        if self.has(Flaw::NoStagger) { 0 } else { KEPT.forced_turn(rank, late) }
    }

    pub(crate) fn balance_turn(self, rank: u32) -> u32 {
        if self.has(Flaw::EverybodyBalances) { 0 } else { KEPT.balance_turn(rank) }
    }

    pub(crate) fn pages_before_listing(self, pages: u32) -> u32 {
        if self.has(Flaw::MembersBeforePages) { 0 } else { KEPT.pages_before_listing(pages) }
    }

    pub(crate) fn is_read_in_order(self, page_seen: Moment, members_asked: Moment) -> bool {
        KEPT.is_read_in_order(page_seen, members_asked) || self.has(Flaw::MembersBeforePages)
    }

    pub(crate) fn may_balance(self, settled: bool) -> bool {
        KEPT.may_balance(settled) || self.has(Flaw::NoDebounce)
    }

    pub(crate) fn may_place_first(self, settled: bool) -> bool {
        KEPT.may_place_first(settled) || self.has(Flaw::FirstPlanHasty)
    }

    pub(crate) fn arriving(self, heir: Option<&Heir>) -> Option<&Heir> {
        KEPT.arriving(heir).filter(|_| !self.has(Flaw::HeirsNotCounted))
    }

    pub(crate) fn asks_for_worth(self, evens_out: bool) -> bool {
        KEPT.asks_for_worth(evens_out) && !self.has(Flaw::WorthNotAsked)
    }

    pub(crate) fn rest(self, timing: &Timing) -> Duration {
        if self.has(Flaw::NoRest) { Duration::ZERO } else { KEPT.rest(timing) }
    }

    pub(crate) fn moves_left(self, set: Option<u32>, shards: u32, moving: usize) -> usize {
        if self.has(Flaw::BudgetIgnored) { usize::MAX } else { KEPT.moves_left(set, shards, moving) }
    }

    pub(crate) fn may_be_given(self, state: MemberState, drained: bool, lost: bool) -> bool {
        let lost = lost && !self.has(Flaw::LostCountsActive);
        let leaving = self.has(Flaw::GivenToLeaving) && state.is_open() && !lost;
        leaving || KEPT.may_be_given(state, drained, lost)
    }

    pub(crate) fn is_fresh(self, seen_renewed: bool) -> bool {
        KEPT.is_fresh(seen_renewed) || self.has(Flaw::GivenToUnseen)
    }

    pub(crate) fn returns_to_former(self, willing: bool) -> bool {
        let willing = willing || self.has(Flaw::ReturnedToFailed);
        KEPT.returns_to_former(willing) && !self.has(Flaw::FormerForgotten)
    }
}
