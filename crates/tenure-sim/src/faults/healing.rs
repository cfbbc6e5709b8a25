//! How far the healing of a run is, and what was seen since faults stopped.

use tenure_core::ids::{MemberId, ShardId};

use crate::clock::Nanos;
use crate::promises::Verdict;
use crate::promises::settles::lasting;
use crate::surroundings::{Surroundings, member_id};

/// For how many ttl the ledger must not change before it counts as at rest.
const REST: u64 = 4;

/// Within how many ttl after the healing the ledger must have come to rest.
const RESTLESS: u64 = 60;

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

/// Whether the ledger is at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// It is.
    Rests,
    /// It may be then.
    NotBefore(Nanos),
    /// It should have been long ago.
    Restless,
}

impl Surroundings<'_> {
    /// All faults of the network and the store stop.
    pub(crate) fn clear_faults(&mut self) {
        let ttl = self.shape.ttl();
        self.note("fault", || "all faults stop".into());
        self.healing.begun_at = Some(self.now);
        self.healing.healed_at = Some(self.now + ttl / 10);
        self.faults.clear(ttl);
        self.network.cuts.clear();
    }

    /// Whether a member stays drained: it hands on what it has, and is given nothing.
    pub(crate) fn stays_drained(&self, member: usize) -> bool {
        self.healing.drained == Some(member_id(member))
    }

    /// Within which time, once everything is whole, every shard must have an owner.
    pub(crate) fn service_bound(&self) -> Nanos {
        let ttl_max = self.shape.ttl_max.as_nanos() as u64;
        let lease = if self.healing.missing_record { ttl_max } else { self.shape.ttl() };
        // A clock that is wrong by three tenths stretches every wait of its process.
        if self.shape.faulty.is_some() { 3 * lease } else { 2 * lease }
    }

    /// Whether the ledger is at rest.
    pub(crate) fn rest(&self) -> Rest {
        let ttl = self.shape.ttl();
        let rest_at = self.truth.ledger_changed_at + REST * ttl;
        let latest = self.healing.healed_at.unwrap_or_default() + RESTLESS * ttl;
        match self.now {
            now if now >= rest_at => Rest::Rests,
            now if now >= latest => Rest::Restless,
            _ => Rest::NotBefore(rest_at),
        }
    }

    /// The ledger is at rest: what the operator asked for had its effect, and lasts.
    pub(crate) fn orders_last(&self) -> Verdict {
        if let Some(id) = &self.healing.drained {
            lasting::has_nothing(&self.truth, id, self.record(id).as_ref())?;
        }
        let members = self.store.members(|| self.now);
        let records = members.iter().filter_map(|(id, _)| Some((id, self.record(id)?)));
        lasting::nothing_is_asked_back(records)?;
        lasting::have_arrived(&self.truth, self.now, &self.moves)
    }
}
