//! Broken rules of our own lease (L1–L5, R5).

use std::time::Duration;

use super::{Flaw, KEPT, Rules};
use crate::guard::Lease;
use crate::ids::{Life, Lineage};
use crate::message::{Fault, Reply, When};
use crate::moment::{Moment, Timing};
use crate::record::Version;
use crate::rules::Farewell;

/// What a write of unknown outcome is taken for.
fn believed(reply: &Reply) -> Option<Version> {
    matches!(reply, Reply::Failed(Fault::Indeterminate(_))).then(|| Version::new("unknown"))
}

impl Rules {
    pub(crate) fn holds_until(self, sent_at: Moment, answered_at: Moment, timing: &Timing) -> Moment {
        if self.has(Flaw::NoMargin) {
            return sent_at + timing.ttl.mul_f64(1.0 + 3.0 * timing.drift) + timing.slack;
        }
        let from = if self.has(Flaw::ValidFromReply) { answered_at } else { sent_at };
        KEPT.holds_until(from, answered_at, timing)
    }

    pub(crate) fn time_before_event(self, now: Moment) -> Moment {
        if self.has(Flaw::EventBeforeTime) { Moment::ZERO } else { KEPT.time_before_event(now) }
    }

    pub(crate) fn next_seq(self, last: u64) -> u64 {
        if self.has(Flaw::SharedSeq) { last.max(1) } else { KEPT.next_seq(last) }
    }

    pub(crate) fn renews_over(self, ours: &Version) -> When {
        self.condition(Flaw::RenewAnyVersion, KEPT.renews_over(ours))
    }

    pub(crate) fn renewal_landed(self, reply: &Reply) -> Option<Version> {
        let believed = believed(reply).filter(|_| self.has(Flaw::UnknownRenewalCounts));
        KEPT.renewal_landed(reply).or(believed)
    }

    pub(crate) fn join_landed(self, reply: &Reply) -> Option<Version> {
        let believed = believed(reply).filter(|_| self.has(Flaw::UnknownJoinCounts));
        KEPT.join_landed(reply).or(believed)
    }

    pub(crate) fn counts_by(self, joined: Option<&Life>, under_way: Option<Life>) -> Option<Life> {
        let early = under_way.clone().filter(|_| self.has(Flaw::JoinCountsEarly));
        KEPT.counts_by(joined, under_way).or(early)
    }

    pub(crate) fn is_sure_of_cluster(self, has_asked: bool) -> bool {
        KEPT.is_sure_of_cluster(has_asked) || self.has(Flaw::RecoverySlept)
    }

    pub(crate) fn is_own_seq_good(self, read: u64, landed: u64) -> bool {
        KEPT.is_own_seq_good(read, landed) || self.has(Flaw::SeqGoesBack)
    }

    pub(crate) fn next_term(self, shown: u64, lived: Option<u64>) -> u64 {
        let same = self.has(Flaw::RejoinSameLife) && lived == Some(shown);
        if same { shown } else { KEPT.next_term(shown, lived) }
    }

    pub(crate) fn may_replace(self, silent: bool, dead: bool) -> bool {
        KEPT.may_replace(silent, dead) || self.has(Flaw::JoinOverLive)
    }

    pub(crate) fn silence_before_join(self, timing: &Timing, its_ttl: Duration) -> Duration {
        let ttl = if self.has(Flaw::JoinWaitsOwnTtl) { timing.ttl } else { its_ttl };
        let hurries = self.has(Flaw::ObserverHurries);
        if hurries { self.silence(timing, ttl) } else { KEPT.silence_before_join(timing, ttl) }
    }

    pub(crate) fn stays_drained(self, drained: bool) -> bool {
        KEPT.stays_drained(drained) && !self.has(Flaw::DrainedForgotten)
    }

    pub(crate) fn may_end(self, is_idle: bool) -> bool {
        KEPT.may_end(is_idle) || self.has(Flaw::JoinAbandoned)
    }

    pub(crate) fn close_lapsed(self, lease: &Lease) {
        if !self.has(Flaw::LapseDrains) {
            KEPT.close_lapsed(lease);
        }
    }

    pub(crate) fn farewell_at_lapse(self) -> Farewell {
        if self.has(Flaw::LapseDrains) { Farewell::Drain } else { KEPT.farewell_at_lapse() }
    }

    pub(crate) fn may_rejoin(self, has_ended_work: bool) -> bool {
        KEPT.may_rejoin(has_ended_work) || self.has(Flaw::RejoinWhileWorking)
    }

    pub(crate) fn well_since_lapse(self, since: Option<Moment>) -> Option<Moment> {
        if self.has(Flaw::RecoverWindowKept) { since } else { KEPT.well_since_lapse(since) }
    }

    pub(crate) fn may_go(self, has_ended_work: bool) -> bool {
        KEPT.may_go(has_ended_work) || self.has(Flaw::GoneWithOpenGuard)
    }

    pub(crate) fn detach(self, lease: &Lease) {
        if !self.has(Flaw::GoneWithOpenGuard) {
            KEPT.detach(lease);
        }
    }

    pub(crate) fn is_history_over(self, ours: Lineage, told: Lineage) -> bool {
        KEPT.is_history_over(ours, told) && !self.has(Flaw::LineageIgnored)
    }
}
