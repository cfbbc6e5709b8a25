//! What happened, for people: logs and figures. Nothing depends on it.

use std::sync::Arc;
use std::time::Duration;

use tenure_core::ids::MemberId;
use tenure_core::message::{LapseReason, Notice};
use tenure_core::moment::Moment;
use tracing::{debug, error, info, warn};

use crate::metric::Metrics;

/// Tells what happens in one member.
#[derive(Debug)]
pub(crate) struct Telling {
    member: MemberId,
    pub(crate) metrics: Arc<Metrics>,
    retry_window: Duration,
    /// Since when steps have been refused without one succeeding; the flag says whether that was reported.
    refused: Option<(Moment, bool)>,
}

impl Telling {
    pub(crate) fn new(member: MemberId, metrics: Arc<Metrics>, retry_window: Duration) -> Self {
        Self { member, metrics, retry_window, refused: None }
    }

    pub(crate) fn notice(&mut self, now: Moment, notice: Notice) {
        let member = &self.member;
        match notice {
            Notice::Found { shards } => debug!(%member, shards, "cluster found"),
            Notice::Joined(life) => {
                info!(%member, %life, "joined");
                self.metrics.attached(true);
            }
            Notice::Waiting(life) => {
                warn!(%member, %life, "another process holds this member id; waiting until it is silent or proven dead");
            }
            Notice::Lapsed { life, reason } => {
                info_or_warn_lapse(member, &life, &reason);
                self.lapsed(&reason);
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
            Notice::Spent(what) => error!(%member, error = what, "a step is not taken"),
            Notice::Refused(what) => error!(%member, error = what, "the store refuses this member"),
            Notice::Stuck(shard) => error!(%member, %shard, "interrupted work does not end"),
        }
    }

    fn lapsed(&self, reason: &LapseReason) {
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

fn info_or_warn_lapse(member: &MemberId, life: &tenure_core::ids::Life, reason: &LapseReason) {
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
