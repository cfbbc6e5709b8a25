//! Everything is made whole, and then judged: whoever was promised an owner must have one in time.
//!
//! ```text
//!  Heal ── faults stop, processes go on or start again ──► Healed ── 2·ttl ──► Judge ──► Settle … until the ledger rests
//! ```

use tenure_core::ids::{MemberId, ShardId};

use super::driver::member_id;
use super::queue::Happening;
use super::{MachineSim, Proc};
use crate::clock::Nanos;
use crate::promises::Verdict;
use crate::promises::settles::{lasting, service};

/// How far the healing is, and what was seen since.
#[derive(Debug, Default)]
pub(crate) struct Healing {
    begun_at: Option<Nanos>,
    healed_at: Option<Nanos>,
    /// Whether a member record was deleted or spoilt: its life is closed only after ttl_max.
    pub(crate) missing_record: bool,
    /// The member that stays drained.
    pub(crate) drained: Option<MemberId>,
    /// By shard, whether somebody could act for it since everything is whole.
    pub(crate) served: Vec<bool>,
    /// How many page writes changed a holding since everything is whole.
    pub(crate) ledger_changes: usize,
}

impl Healing {
    /// Whether faults have stopped.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun_at.is_some()
    }

    /// When faults stopped.
    pub(crate) fn begun_at(&self) -> Option<Nanos> {
        self.begun_at
    }

    /// Somebody may act for `shard`.
    pub(crate) fn note_served(&mut self, shard: ShardId) {
        if let Some(served) = self.served.get_mut(shard.0 as usize) {
            *served = true;
        }
    }

    /// Whether a request that was sent at `sent_at` and arrives at `now` is a fault that would outlast the healing.
    pub(crate) fn is_stale(&self, now: Nanos, sent_at: Nanos) -> bool {
        let (Some(begun), Some(healed)) = (self.begun_at, self.healed_at) else { return false };
        sent_at < begun && now > healed
    }
}

/// For how many ttl the ledger must not change before it counts as at rest.
const REST: u64 = 4;

/// Within how many ttl after the healing the ledger must have come to rest.
const RESTLESS: u64 = 60;

impl MachineSim<'_> {
    /// All faults stop.
    pub(crate) fn heal(&mut self) {
        let ttl = self.shape.ttl();
        self.note("fault", || "all faults stop".into());
        self.healing.begun_at = Some(self.now);
        self.healing.healed_at = Some(self.now + ttl / 10);
        self.faults.clear(ttl);
        self.cuts.clear();
        for no in 0..self.procs.len() {
            self.thaw(no);
        }
        self.restore();
        self.restart_members();
        self.work_is_tamed();
        self.tell_all_wants();
        self.queue.put(self.now + ttl / 10, Happening::Healed);
    }

    /// Most members that do not run start again; one at least runs and stays.
    fn restart_members(&mut self) {
        for member in 0..self.shape.members {
            if !self.is_up(member) && self.chance.in_10k(7_000) {
                self.start(member);
            }
        }
        self.ensure_somebody_stays();
    }

    fn ensure_somebody_stays(&mut self) {
        if !self.somebody_stays() {
            let down = |member: &usize| !self.is_up(*member) && !self.stays_drained(*member);
            let down = (0..self.shape.members).find(down);
            self.start_anew(down);
        }
    }

    fn start_anew(&mut self, down: Option<usize>) {
        let member = down.unwrap_or_else(|| {
            let leaves = |proc: &Proc| proc.lives() && !self.stays_drained(proc.member);
            let leaving = self.procs.iter().position(leaves).unwrap_or_default();
            self.kill(leaving, "it makes room for one that stays");
            self.procs[leaving].member
        });
        self.start(member);
    }

    fn somebody_stays(&self) -> bool {
        let stays = |proc: &Proc| proc.lives() && !proc.leaving && !self.stays_drained(proc.member);
        self.procs.iter().any(stays)
    }

    /// Whether a member stays drained: it hands on what it has, and is given nothing.
    pub(crate) fn stays_drained(&self, member: usize) -> bool {
        self.healing.drained == Some(member_id(member))
    }

    /// Everything is whole.
    pub(crate) fn healed(&mut self) {
        // The last one may have thawed only to find its lease over and its work stuck, and have aborted itself; whoever
        // supervises it starts it again.
        self.ensure_somebody_stays();
        self.note("fault", || "everything is whole".into());
        let shards = (0..self.shape.shards).map(ShardId);
        self.healing.served = shards.map(|shard| service::is_served(self.scene(), shard)).collect();
        self.healing.ledger_changes = 0;
        self.tell_all_wants();
        self.queue.put(self.now + self.service_bound(), Happening::Judge);
    }

    fn service_bound(&self) -> Nanos {
        let ttl_max = self.shape.ttl_max.as_nanos() as u64;
        let lease = if self.healing.missing_record { ttl_max } else { self.shape.ttl() };
        // A clock that is wrong by three tenths stretches every wait of its process.
        if self.shape.faulty.is_some() { 3 * lease } else { 2 * lease }
    }

    /// The time within which every shard must have an owner is over.
    pub(crate) fn judge_service(&mut self) {
        self.judge(service::in_time(&self.healing.served));
        self.settle();
    }

    /// What the operator asked for had its effect, and lasts.
    fn orders_last(&self) -> Verdict {
        if let Some(id) = &self.healing.drained {
            lasting::has_nothing(self.scene(), id, self.record(id).as_ref())?;
        }
        let members = self.store.members(|| self.now);
        let records = members.iter().filter_map(|(id, _)| Some((id, self.record(id)?)));
        lasting::nothing_is_asked_back(records)?;
        lasting::have_arrived(self.scene(), &self.moves)
    }

    /// Looks whether the ledger is at rest; if not yet, looks again later.
    pub(crate) fn settle(&mut self) {
        let ttl = self.shape.ttl();
        let rest_at = self.truth.ledger_changed_at + REST * ttl;
        let latest = self.healing.healed_at.unwrap_or_default() + RESTLESS * ttl;
        if self.now >= rest_at {
            self.judge(service::at_rest(self.scene()));
            self.judge(self.orders_last());
            self.done = true;
        } else if self.now >= latest {
            self.judge(service::restless(self.healing.ledger_changes));
        } else {
            self.queue.put(rest_at, Happening::Settle);
        }
    }
}
