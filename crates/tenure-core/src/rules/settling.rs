//! Who takes which step when, and who gets what (C1–C6). Safety rests on none of these.

use std::time::Duration;

use super::Rules;
use crate::ids::MemberId;
use crate::moment::{Moment, Timing};
use crate::record::{Heir, MemberState};

impl Rules {
    /// C1: all members plan by the same names; that of the planner is none of them.
    pub(crate) fn planned_name(self, candidate: &MemberId, _planner: &MemberId) -> MemberId {
        candidate.clone()
    }

    /// C2: how many others take a forced step before us; `late` more if we have just come and know less than they do.
    pub(crate) fn forced_turn(self, rank: u32, late: u32) -> u32 {
        rank + late
    }

    /// C2: how many others move shards for balance before us.
    pub(crate) fn balance_turn(self, rank: u32) -> u32 {
        rank
    }

    /// C3: the members are listed after the pages that they are to explain: how many are answered before, of all.
    pub(crate) fn pages_before_listing(self, pages: u32) -> u32 {
        pages
    }

    /// C3: shards are moved only by members that were asked for after the page was read.
    pub(crate) fn is_read_in_order(self, page_seen: Moment, members_asked: Moment) -> bool {
        page_seen <= members_asked
    }

    /// C3: before shards are moved, the members must have settled.
    pub(crate) fn may_balance(self, settled: bool) -> bool {
        settled
    }

    /// C3: the first plan of a new cluster waits until the members have settled, and each was seen to renew.
    pub(crate) fn may_place_first(self, settled: bool) -> bool {
        settled
    }

    /// C4: heirs count as arrived.
    pub(crate) fn arriving(self, heir: Option<&Heir>) -> Option<&Heir> {
        heir
    }

    /// C4: a shard is moved only if that improves the balance, where the placement is one that evens out.
    pub(crate) fn asks_for_worth(self, evens_out: bool) -> bool {
        evens_out
    }

    /// C5: how long a shard that has just changed is left alone.
    pub(crate) fn rest(self, timing: &Timing) -> Duration {
        timing.debounce * 2
    }

    /// C5: how many more shards may be on the move: 16 in all, or a quarter, or what the settings say.
    pub(crate) fn moves_left(self, set: Option<u32>, shards: u32, moving: usize) -> usize {
        let budget = set.unwrap_or_else(|| (shards / 4).max(16)) as usize;
        budget.saturating_sub(moving)
    }

    /// C6: shards go to members that are active, not leaving, not drained, and not lost (O3b).
    pub(crate) fn may_be_given(self, state: MemberState, drained: bool, lost: bool) -> bool {
        state == MemberState::Active && !drained && !lost
    }

    /// C6: shards go to members that the planner itself saw renew of late.
    pub(crate) fn is_fresh(self, seen_renewed: bool) -> bool {
        seen_renewed
    }

    /// C6: the id that held a shard before is preferred, unless it gave the shard up because it can't serve it.
    pub(crate) fn returns_to_former(self, willing: bool) -> bool {
        willing
    }
}
