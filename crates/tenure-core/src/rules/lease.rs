//! Our own lease: until when it holds, and how a life begins and ends (L1–L5, R5).

use std::time::Duration;

use super::Rules;
use crate::guard::Lease;
use crate::ids::{Life, Lineage};
use crate::message::{Reply, When};
use crate::moment::{Moment, Timing};
use crate::record::Version;

/// How shards are given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Farewell {
    /// To heirs, in their time.
    HandOn,
    /// The work finishes, and nobody takes it.
    Drain,
    /// At once.
    Interrupt,
}

impl Rules {
    /// L2: a renewal counts from before it was sent. When it landed nobody knows; the observers' count begins after that.
    pub(crate) fn holds_until(self, sent_at: Moment, answered_at: Moment, timing: &Timing) -> Moment {
        sent_at.min(answered_at) + timing.validity(timing.ttl)
    }

    /// L3: the clock is looked at before the event, so that an answer after the lease's end revives nothing: how late it is then.
    pub(crate) fn time_before_event(self, now: Moment) -> Moment {
        now
    }

    /// L2: every attempt to write our record has a seq of its own.
    pub(crate) fn next_seq(self, last: u64) -> u64 {
        last + 1
    }

    /// L2: a renewal lands only over the newest version known to be our own.
    pub(crate) fn renews_over(self, ours: &Version) -> When {
        When::Is(ours.clone())
    }

    /// L2: only a renewal known to have landed extends the lease.
    pub(crate) fn renewal_landed(self, reply: &Reply) -> Option<Version> {
        reply.stored().cloned()
    }

    /// L1: a member has joined when it knows that its write landed.
    pub(crate) fn join_landed(self, reply: &Reply) -> Option<Version> {
        reply.stored().cloned()
    }

    /// L1: before its join is known to have landed, a member does nothing, and so does not plan: by which life it counts.
    pub(crate) fn counts_by(self, joined: Option<&Life>, _under_way: Option<Life>) -> Option<Life> {
        joined.cloned()
    }

    /// L1, L4: nor does it before it has read, once the join has landed, that its cluster is the one that it found: it may have slept
    /// through a recovery. After a lapse it reads that before it joins, too: a member that joins and does nothing would be given shards.
    pub(crate) fn is_sure_of_cluster(self, has_asked: bool) -> bool {
        has_asked
    }

    /// L2: a record of ours that shows less than has landed is that of a store which forgot.
    pub(crate) fn is_own_seq_good(self, read: u64, landed: u64) -> bool {
        read >= landed
    }

    /// L1: a life begins under a term that neither the record shows nor this process has lived in.
    pub(crate) fn next_term(self, shown: u64, lived: Option<u64>) -> u64 {
        shown.max(lived.unwrap_or(0)) + 1
    }

    /// L1: an open record of another process is replaced only if it is silent, or its process proven dead.
    pub(crate) fn may_replace(self, silent: bool, dead: bool) -> bool {
        silent || dead
    }

    /// L1: how long the record that holds our id must not change: its own lease counts, not ours.
    pub(crate) fn silence_before_join(self, timing: &Timing, its_ttl: Duration) -> Duration {
        self.silence(timing, its_ttl)
    }

    /// L1: an operator's wish that a member be drained outlives the life that it was told to.
    pub(crate) fn stays_drained(self, drained: bool) -> bool {
        drained
    }

    /// L1: who is told to stop while a join is under way waits for what became of it, so that no join outlives its process.
    pub(crate) fn may_end(self, is_idle: bool) -> bool {
        is_idle
    }

    /// L4: a lapse closes the lease, and with it every guard, before anything else.
    pub(crate) fn close_lapsed(self, lease: &Lease) {
        lease.close();
    }

    /// L4: then it interrupts all work.
    pub(crate) fn farewell_at_lapse(self) -> Farewell {
        Farewell::Interrupt
    }

    /// L4: a member joins again only when the last piece of work of its former life has ended.
    pub(crate) fn may_rejoin(self, has_ended_work: bool) -> bool {
        has_ended_work
    }

    /// L4: after a lapse the store must have been well for a while, counted anew: since when it has been, at the lapse.
    pub(crate) fn well_since_lapse(self, _since: Option<Moment>) -> Option<Moment> {
        None
    }

    /// L5: a member goes when all its work has ended.
    pub(crate) fn may_go(self, has_ended_work: bool) -> bool {
        has_ended_work
    }

    /// L5: a member that goes detaches for good, and only then writes `gone`.
    pub(crate) fn detach(self, lease: &Lease) {
        lease.close();
    }

    /// R5: whose cluster is told to be of another lineage than it knew, everything that it knows is of a history that is over.
    pub(crate) fn is_history_over(self, ours: Lineage, told: Lineage) -> bool {
        told != ours
    }
}
