//! Broken rules of watching the others (O1–O4, G2).

use std::time::Duration;

use super::{Flaw, KEPT, Rules};
use crate::ids::{Epoch, Incarnation, Life, ShardId};
use crate::message::{Event, When};
use crate::moment::{Moment, Timing};
use crate::record::{MemberRecord, Version};

impl Rules {
    pub(crate) fn first_seen(self, asked_at: Moment, answered_at: Moment) -> Moment {
        if self.has(Flaw::SeenAtRequest) { asked_at } else { KEPT.first_seen(asked_at, answered_at) }
    }

    pub(crate) fn silence(self, timing: &Timing, ttl: Duration) -> Duration {
        if self.has(Flaw::ObserverHurries) { ttl / 2 } else { KEPT.silence(timing, ttl) }
    }

    pub(crate) fn longest_gap(self, timing: &Timing, ttl: Duration) -> Duration {
        if self.has(Flaw::GapCounts) { Duration::MAX } else { KEPT.longest_gap(timing, ttl) }
    }

    pub(crate) fn counts_anew(self, repeated: bool) -> bool {
        KEPT.counts_anew(repeated) && !self.has(Flaw::RepeatedIsSilent)
    }

    pub(crate) fn breaks_watching(self, own_renewal_failed: bool) -> bool {
        KEPT.breaks_watching(own_renewal_failed) && !self.has(Flaw::OwnFailureIgnored)
    }

    pub(crate) fn may_close_others(self, has_life: bool) -> bool {
        KEPT.may_close_others(has_life) && !self.has(Flaw::NobodyDeposes)
    }

    pub(crate) fn closes_over(self, seen: &Version) -> When {
        self.condition(Flaw::DeposeAnyVersion, KEPT.closes_over(seen))
    }

    pub(crate) fn has_ended(self, closed: bool, released: bool, silent: impl Fn() -> bool) -> bool {
        KEPT.has_ended(closed, released, &silent) || self.has(Flaw::SilenceCloses) && silent()
    }

    pub(crate) fn asks_needs_anew(self, more_is_known: bool) -> bool {
        KEPT.asks_needs_anew(more_is_known) || self.has(Flaw::SilenceCloses)
    }

    pub(crate) fn closes(self, shown: Incarnation, is_closed: bool, life: Incarnation) -> bool {
        let by_id = self.has(Flaw::ClosedById) && (is_closed || shown.term > 1);
        by_id || KEPT.closes(shown, is_closed, life)
    }

    pub(crate) fn is_lost(
        self,
        missing_since: Moment,
        asked_at: Moment,
        longest_silence: Duration,
        another_line_is_there: bool,
    ) -> bool {
        let at_once = if another_line_is_there { Flaw::OtherLineCloses } else { Flaw::AbsentCloses };
        let kept = KEPT.is_lost(missing_since, asked_at, longest_silence, another_line_is_there);
        kept && !self.has(Flaw::AbsentNeverCloses) || self.has(at_once)
    }

    pub(crate) fn taken_for(self, event: Event) -> Event {
        match event {
            Event::Rumour { id, record } if self.has(Flaw::RumourBelieved) => Event::Heard { id, record },
            event => KEPT.taken_for(event),
        }
    }

    pub(crate) fn is_proven_dead(self, this_process: bool, a_former_one: bool) -> bool {
        KEPT.is_proven_dead(this_process, a_former_one) || a_former_one && self.has(Flaw::ProofOfAnyLife)
    }

    pub(crate) fn has_released(
        self,
        record: &MemberRecord,
        life: &Life,
        shard: ShardId,
        epoch: Epoch,
    ) -> bool {
        let same_life = || record.incarnation() == life.incarnation();
        let mut shards = record.released.runs().map(|(shards, _)| shards);
        KEPT.has_released(record, life, shard, epoch)
            || self.has(Flaw::ReleaseOfAnyLife) && record.has_released(shard, epoch)
            || self.has(Flaw::ReleasedByShard) && same_life() && shards.any(|run| run.contains(&shard.0))
    }

    pub(crate) fn first_sight_renews(self, watched: bool, unheard_of: bool) -> bool {
        KEPT.first_sight_renews(watched, unheard_of) || self.has(Flaw::FirstSightRenews)
    }

    pub(crate) fn may_remove(self, is_long_closed: bool, is_named: impl FnOnce() -> bool) -> bool {
        KEPT.may_remove(is_long_closed, is_named) || self.has(Flaw::CollectedEarly)
    }
}
