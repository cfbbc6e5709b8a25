//! The others: who is silent, who is closed, whose record may be written or removed (O1–O4, G2).

use std::time::Duration;

use super::Rules;
use crate::ids::{Epoch, Incarnation, Life, ShardId};
use crate::message::{Event, When};
use crate::moment::{Moment, Timing};
use crate::record::{MemberRecord, Version};

impl Rules {
    /// O1: silence is counted from after the reply, when the record may already have been old for as long as it took.
    pub(crate) fn first_seen(self, asked_at: Moment, answered_at: Moment) -> Moment {
        asked_at.max(answered_at)
    }

    /// O1: a record is silent when it did not change for the whole of its lease, stretched, plus slack.
    pub(crate) fn silence(self, timing: &Timing, ttl: Duration) -> Duration {
        timing.silence(ttl)
    }

    /// O1: the longest pause between two reads that still counts as watching.
    pub(crate) fn longest_gap(self, timing: &Timing, ttl: Duration) -> Duration {
        timing.ttl.max(ttl) / 3
    }

    /// O1: a record that was written anew, and says the same, comes from a store that forgot: the count starts again.
    pub(crate) fn counts_anew(self, repeated: bool) -> bool {
        repeated
    }

    /// O1: a member that can't renew can't judge who else does not: its watching begins anew.
    pub(crate) fn breaks_watching(self, own_renewal_failed: bool) -> bool {
        own_renewal_failed
    }

    /// O2: who has a life replaces silent records by `deposed`; otherwise their shards would stay where they are for ever.
    pub(crate) fn may_close_others(self, has_life: bool) -> bool {
        has_life
    }

    /// O2, O4: a record is closed only over the very version that was silent, or that carries the life proven dead.
    pub(crate) fn closes_over(self, seen: &Version) -> When {
        When::Is(seen.clone())
    }

    /// O2, W1: an epoch has ended when its life is closed, or has released it. Silence alone ends nothing; the write does.
    pub(crate) fn has_ended(self, closed: bool, released: bool, _silent: impl Fn() -> bool) -> bool {
        closed || released
    }

    /// What a page needs follows from what is known, so that it is found again only when more is known; time alone changes nothing.
    pub(crate) fn asks_needs_anew(self, more_is_known: bool) -> bool {
        more_is_known
    }

    /// O3a: a life is closed by a record of its own line with a greater term, or with its own term and closed.
    pub(crate) fn closes(self, shown: Incarnation, is_closed: bool, life: Incarnation) -> bool {
        shown.line == life.line && (shown.term > life.term || shown.term == life.term && is_closed)
    }

    /// O3b: a life is lost when a fresh read found nothing of it for the cluster's longest silence, whatever was there instead.
    pub(crate) fn is_lost(
        self,
        missing_since: Moment,
        asked_at: Moment,
        longest_silence: Duration,
        _another_line_is_there: bool,
    ) -> bool {
        asked_at >= missing_since + longest_silence
    }

    /// O3: what anybody says of a member's record is no read, and only a reason to read: a rumour is taken for nothing else.
    pub(crate) fn taken_for(self, event: Event) -> Event {
        event
    }

    /// O4: a proof of death is of the process that the record shows, not of another one that had the same id.
    pub(crate) fn is_proven_dead(self, this_process: bool, _a_former_one: bool) -> bool {
        this_process
    }

    /// W1: an epoch is released when the record of the life that held it names this shard at this epoch.
    pub(crate) fn has_released(
        self,
        record: &MemberRecord,
        life: &Life,
        shard: ShardId,
        epoch: Epoch,
    ) -> bool {
        record.incarnation() == life.incarnation() && record.has_released(shard, epoch)
    }

    /// C6: a first sight is no renewal, unless the listing of a moment ago did not show that life.
    pub(crate) fn first_sight_renews(self, watched: bool, unheard_of: bool) -> bool {
        watched && unheard_of
    }

    /// G2: a closed record is removed after a long retention, and after pages were read that name no life of that id.
    pub(crate) fn may_remove(self, is_long_closed: bool, is_named: impl FnOnce() -> bool) -> bool {
        is_long_closed && !is_named()
    }
}
