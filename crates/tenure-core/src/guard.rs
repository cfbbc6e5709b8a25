//! Guards: what work asks before an effect leaves the process.
//!
//! A [`Lease`] is one atomic: the moment up to which this member may act. A [`Seat`] is one shard at one epoch: it holds
//! while it is open and its lease is valid. Both only ever close: time closes the lease without anybody's help, and a
//! closed seat never opens again. The machine writes them, everybody else reads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::ids::{Epoch, Lineage, ShardId};
use crate::moment::Moment;

/// The lease of one life: valid before the moment that the cell holds.
#[derive(Clone, Debug, Default)]
pub struct Lease(Arc<AtomicU64>);

impl Lease {
    /// Whether the member may act at `now`.
    #[inline]
    pub fn holds(&self, now: Moment) -> bool {
        now.as_nanos() < self.0.load(Ordering::Acquire)
    }

    /// The moment up to which the member may act; [`Moment::ZERO`] once it has lapsed.
    #[inline]
    pub fn valid_until(&self) -> Moment {
        Moment::from_nanos(self.0.load(Ordering::Acquire))
    }

    pub(crate) fn extend(&self, until: Moment) {
        self.0.fetch_max(until.as_nanos(), Ordering::AcqRel);
    }

    /// Ends the lease now. Anybody may: to stop early is always safe.
    pub fn close(&self) {
        self.0.store(0, Ordering::Release);
    }
}

const CLOSED: u8 = 0;
const WARMING: u8 = 1;
const OPEN: u8 = 2;
const DRAINING: u8 = 3;

#[derive(Debug)]
struct SeatCell {
    shard: ShardId,
    lineage: Lineage,
    epoch: Epoch,
    lease: Lease,
    state: AtomicU8,
}

/// One shard at one epoch, in one life of this member. Clones are the same seat.
#[derive(Clone, Debug)]
pub struct Seat(Arc<SeatCell>);

impl Seat {
    pub(crate) fn new(shard: ShardId, lineage: Lineage, epoch: Epoch, lease: Lease) -> Self {
        Self(Arc::new(SeatCell { shard, lineage, epoch, lease, state: AtomicU8::new(WARMING) }))
    }

    /// The shard.
    #[inline]
    pub fn shard(&self) -> ShardId {
        self.0.shard
    }

    /// The cluster's founding, which epochs are counted within.
    pub fn lineage(&self) -> Lineage {
        self.0.lineage
    }

    /// The epoch: the fencing token to hand to every sink.
    #[inline]
    pub fn epoch(&self) -> Epoch {
        self.0.epoch
    }

    /// Whether this member may act for the shard at `now`. False before anyone else can own it.
    #[inline]
    pub fn holds(&self, now: Moment) -> bool {
        self.0.state.load(Ordering::Acquire) >= OPEN && self.0.lease.holds(now)
    }

    /// Whether the shard is to move: finish, then return.
    #[inline]
    pub fn draining(&self) -> bool {
        matches!(self.0.state.load(Ordering::Acquire), DRAINING | CLOSED)
    }

    /// Whether the seat is closed for ever.
    #[inline]
    pub fn closed(&self) -> bool {
        self.0.state.load(Ordering::Acquire) == CLOSED
    }

    /// The lease that the seat rests on.
    pub fn lease(&self) -> &Lease {
        &self.0.lease
    }

    pub(crate) fn open(&self) {
        self.step(OPEN);
    }

    pub(crate) fn drain(&self) {
        self.step(DRAINING);
    }

    /// Closed is for ever: no step leads out of it.
    fn step(&self, to: u8) {
        let _ = self
            .0
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| (state != CLOSED).then_some(to));
    }

    pub(crate) fn close(&self) {
        self.0.state.store(CLOSED, Ordering::Release);
    }
}
