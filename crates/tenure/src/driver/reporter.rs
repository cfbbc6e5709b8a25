//! What happened, for people: logs and figures. Nothing depends on it.

use std::sync::Arc;
use std::time::Duration;

use tenure_core::ids::{Life, MemberId};
use tenure_core::message::{LapseReason, Notice};
use tenure_core::moment::Moment;
use tracing::{debug, error, info, warn};

use super::reminder::Reminder;
use crate::metric::Metrics;

/// Tells what happens in one member.
#[derive(Debug)]
pub(crate) struct Reporter {
    member: MemberId,
    pub(crate) metrics: Arc<Metrics>,
    retry_window: Duration,
    /// Since when steps have been refused without one succeeding; the flag says whether that was reported.
    refused: Option<(Moment, bool)>,
    /// The life that was taken away from us last.
    ousted: Option<Life>,
    waiting: Reminder,
    denied: Reminder,
    spent: Reminder,
}

impl Reporter {
    pub(crate) fn new(member: MemberId, metrics: Arc<Metrics>, retry_window: Duration) -> Self {
        let [waiting, denied, spent] = Default::default();
        Self { member, metrics, retry_window, refused: None, ousted: None, waiting, denied, spent }
    }

    pub(crate) fn notice(&mut self, now: Moment, notice: Notice) {
        let member = &self.member;
        match notice {
            Notice::Found { shards } => debug!(%member, shards, "cluster found"),
            Notice::Joined(life) => {
                info!(%member, %life, "joined");
                self.metrics.attached(true);
                self.joined();
            }
            Notice::Waiting(life) => self.waiting(now, &life),
            Notice::Lapsed { life, reason } => {
                info_or_warn_lapse(member, &life, &reason);
                self.lapsed(life, &reason);
            }
            Notice::RenewalFailed { streak, why } => self.renewal_failed(streak, &why),
            Notice::Renewed { left } => self.renewed(left),
            Notice::Deposed(life) => info!(%member, %life, "a silent member was deposed"),
            Notice::ProvenDead(life) => info!(%member, %life, "a dead member was closed"),
            Notice::Planned { reason, changed } => {
                debug!(%member, reason, changed, "ledger written");
                self.refused = None;
            }
            Notice::Retry => self.retry(now),
            Notice::Restarting { shard, failures, at, error } => {
                let pause = at.since(now);
                warn!(%member, %shard, failures, ?pause, error, "work failed; it will be started again");
                self.metrics.restarted();
            }
            Notice::HandedOn(shard) => {
                warn!(%member, %shard, "work keeps failing here; the shard is offered to others")
            }
            Notice::Unreadable(record) => {
                error!(%member, error = %record, "a record can't be read; it is left alone")
            }
            Notice::Rollback(what) => {
                error!(%member, error = what, "the store went back in time; its operator must repair it")
            }
            Notice::Overruled { shard, owner, epoch } => {
                let owner = owner.map_or_else(|| "nobody".into(), |life| life.to_string());
                error!(%member, %shard, %owner, %epoch, "overruled: the ledger names another owner of a shard that was not given up; its work is ended. The store lost writes, or was written by somebody else");
                self.metrics.overruled();
            }
            Notice::Recovered(what) => {
                warn!(%member, reason = what, "the cluster was recovered; this member joins it anew")
            }
            Notice::Spent(what) => {
                if let Some(since) = self.spent.due(now, &what) {
                    error!(%member, error = what, since = told(since), "a step is not taken");
                }
            }
            Notice::Refused(what) => {
                if let Some(since) = self.denied.due(now, &what) {
                    error!(%member, error = what, since = told(since), "the store refuses this member");
                }
            }
            Notice::Stuck(shard) => error!(%member, %shard, "interrupted work does not end"),
        }
    }

    fn joined(&mut self) {
        self.ousted = None;
        self.waiting.over();
        self.denied.over();
    }

    /// Why this member can't join yet. A record that still shows our own former life was written over, as `fence` does: another
    /// process would have begun a life of its own.
    fn waiting(&mut self, now: Moment, life: &Life) {
        let (member, fenced) = (&self.member, self.ousted.as_ref() == Some(life));
        let Some(since) = self.waiting.due(now, &format!("{life}{fenced}")) else { return };
        if fenced {
            warn!(%member, %life, since = told(since), "fenced: this member's lease was taken away by hand; it joins again by itself once that lease has passed, and gets no shards until `tenure drain {member} --undo` if it is to be kept out");
        } else {
            warn!(%member, %life, since = told(since), "waiting: another process has the lease of this member id; if that process runs, give each its own id; if it has ended, this one takes over as soon as that lease has passed or its death is proven");
        }
    }

    fn lapsed(&mut self, life: Life, reason: &LapseReason) {
        self.ousted = (*reason == LapseReason::Ousted).then_some(life);
        if *reason == LapseReason::Left {
            self.metrics.attached(false);
        } else {
            self.metrics.lapsed();
        }
    }

    /// One failure is no news: somebody else touched the record, or a reply was lost, and a read settles that at once.
    fn renewal_failed(&self, streak: u32, why: &str) {
        if streak == 2 {
            warn!(member = %self.member, error = why, "lease renewals fail");
        }
        self.metrics.renewal_failed(streak);
    }

    fn renewed(&self, left: Duration) {
        let streak = self.metrics.renewed(left);
        if streak > 1 {
            info!(member = %self.member, after = streak, "lease renewals succeed again");
        }
    }

    fn retry(&mut self, now: Moment) {
        self.metrics.retry();
        let (since, reported) = *self.refused.get_or_insert((now, false));
        if !reported && now.since(since) >= self.retry_window {
            self.metrics.retry_window_exhausted();
            warn!(member = %self.member, window = ?self.retry_window, "steps stay refused; they are tried further");
            self.refused = Some((since, true));
        }
    }
}

/// Since how long it is so, unless that is news.
fn told(since: Duration) -> Option<tracing::field::DebugValue<Duration>> {
    (!since.is_zero()).then(|| tracing::field::debug(since))
}

fn info_or_warn_lapse(member: &MemberId, life: &Life, reason: &LapseReason) {
    match reason {
        LapseReason::Left => info!(%member, %life, "left"),
        LapseReason::Expired => {
            warn!(%member, %life, "detached: no renewal landed in time; all guards are closed")
        }
        LapseReason::Ousted => {
            warn!(%member, %life, "detached: the lease was taken away; all guards are closed")
        }
        LapseReason::Clock(what) => {
            warn!(%member, %life, error = what, "detached: the clock can't be trusted")
        }
    }
}

#[cfg(test)]
#[path = "reporter_tests.rs"]
mod tests;
