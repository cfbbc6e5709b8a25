//! A shard in the hands of its worker: the guard to ask before anything becomes visible outside.
//!
//! A [`Shard`] is given to one worker for one epoch and can't be copied: dropping it says that the work has ended, and only
//! then is the shard released. A [`Fence`] can be copied, and goes wherever an older owner must be refused.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, Lineage, ShardId};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::driver::Hold;
use crate::error::{Error, ErrorKind};
use crate::journal::layer::Metered;
use crate::journal::{
    Ahead, Author, Guard, Journal, JournalError, JournalName, Kept, Place, Run, Since, Writer, WriterLimits,
};
use crate::member::fresh_bits;

/// The right to act for one shard at one epoch, while it lasts.
///
/// Before an effect leaves the process, [`check`](Self::check); to every sink that can refuse an older owner, pass the
/// [`fence`](Self::fence). When [`draining`](Self::draining) begins, finish and return. The work counts as ended once its
/// handler has returned *and* its `Shard` was dropped, so a shard that was moved into another task is still held.
pub struct Shard {
    seat: Seat,
    clock: Clock,
    phase: watch::Receiver<ShardPhase>,
    over: CancellationToken,
    journals: Metered,
    _hold: Hold,
}

/// How far a shard's work is told to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardPhase {
    Acting,
    Draining,
    Over,
}

impl Shard {
    pub(crate) fn new(
        seat: Seat,
        clock: Clock,
        phase: watch::Receiver<ShardPhase>,
        over: CancellationToken,
        journals: Metered,
        hold: Hold,
    ) -> Self {
        Self { seat, clock, phase, over, journals, _hold: hold }
    }

    /// Which shard it is.
    #[inline]
    pub fn id(&self) -> ShardId {
        self.seat.shard()
    }

    /// Which owner of the shard this is, counted from its first: the fencing token.
    #[inline]
    pub fn epoch(&self) -> Epoch {
        self.seat.epoch()
    }

    /// The cluster's founding, which epochs are counted within: another founding knows nothing of them.
    pub fn lineage(&self) -> Lineage {
        self.seat.lineage()
    }

    /// Opens the shard's journal `name` in `journal`: the first act of work whose state is kept there. Ends all that earlier owners
    /// could still store, and answers with all that they stored. The writer stops when the shard is lost.
    ///
    /// # Errors
    /// If a later owner has opened it already, or it can't be used.
    pub async fn journal(
        &self,
        journal: &dyn Journal,
        name: &JournalName,
        limits: WriterLimits,
    ) -> Result<(Writer, Kept), JournalError> {
        let place = Place { journal: name.clone(), shard: self.id() };
        let author = self.author()?;
        let opened = self.journals.count_opened(journal.kind(), &place, journal.open(&place, author)).await?;
        Ok(Writer::over(opened, author, limits, self.guard()))
    }

    /// Opens a journal that was read ahead while the shard was still to come: see [`Member::run_warmed`](crate::Member::run_warmed).
    /// Answers with what has come since, for state that is folded already.
    ///
    /// # Errors
    /// As [`journal`](Self::journal), and if another shard's journal was read ahead.
    pub async fn journal_after(
        &self,
        journal: &dyn Journal,
        ahead: Ahead,
        limits: WriterLimits,
    ) -> Result<(Writer, Since), JournalError> {
        if ahead.place.shard != self.id() {
            return Err(JournalError::Misplaced { read: ahead.place, shard: self.id() });
        }
        let (author, place, mark) = (self.author()?, ahead.place.clone(), ahead.mark());
        let open = journal.open_after(ahead, author);
        let opened = self.journals.count_opened(journal.kind(), &place, open).await?;
        let (writer, kept) = Writer::over(opened, author, limits, self.guard());
        Ok((writer, Since::of(kept, mark)))
    }

    /// A new start of work.
    fn author(&self) -> Result<Author, JournalError> {
        let run = fresh_bits().map_err(|_| JournalError::Closed)?;
        Ok(Author { lineage: self.lineage(), epoch: self.epoch(), run: Run(run) })
    }

    fn guard(&self) -> Guard {
        let (seat, clock) = (self.seat.clone(), self.clock.clone());
        Arc::new(move || seat.holds(clock.now()))
    }

    /// The shard and its epoch, to pass to sinks.
    #[inline]
    pub fn fence(&self) -> Fence {
        Fence { shard: self.id(), epoch: self.epoch() }
    }

    /// Whether this process may act for the shard now. False before anyone else can own it, and for ever after. Costs
    /// one clock read and two loads.
    #[inline]
    pub fn holds(&self) -> bool {
        self.seat.holds(self.clock.now())
    }

    /// Asks [`holds`](Self::holds), for use with `?`.
    ///
    /// # Errors
    /// [`ErrorKind::Lapsed`] if this process may not act for the shard any more: stop.
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        if self.holds() { Ok(()) } else { Err(self.lapsed()) }
    }

    /// How long the shard is surely held if nothing is renewed meanwhile; zero once it is lost. For deciding whether an
    /// effect that takes a while should still be begun.
    pub fn time_left(&self) -> Duration {
        let now = self.clock.now();
        if self.seat.holds(now) { self.seat.lease().valid_until().since(now) } else { Duration::ZERO }
    }

    /// Whether the shard is to move to another member, or is lost already: finish, then return.
    #[inline]
    pub fn draining(&self) -> bool {
        self.seat.draining()
    }

    /// Completes when draining begins, or the shard is lost. A move can be called off: ask [`draining`](Self::draining)
    /// again before giving up for good. Cancel-safe.
    pub async fn drained(&self) {
        let _ = self.phase.clone().wait_for(|phase| *phase != ShardPhase::Acting).await;
    }

    /// Completes when the shard is lost: its guard is closed and its work must end. The handler's own future is dropped at
    /// that time too; this is for work that runs elsewhere, such as on a blocking thread. Cancel-safe.
    pub async fn ended(&self) {
        self.over.cancelled().await;
    }

    /// A token that is cancelled when the shard is lost, to hand to work that runs elsewhere.
    pub fn cancellation(&self) -> CancellationToken {
        self.over.clone()
    }

    #[cold]
    fn lapsed(&self) -> Error {
        let (shard, epoch) = (self.id(), self.epoch());
        Error::new(
            ErrorKind::Lapsed,
            format!("shard {shard} at epoch {epoch} is not held any more; stop its work"),
        )
    }
}

impl fmt::Debug for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shard")
            .field("id", &self.id())
            .field("epoch", &self.epoch())
            .field("holds", &self.holds())
            .field("draining", &self.draining())
            .finish_non_exhaustive()
    }
}

/// A shard and the epoch of one of its owners. A sink that remembers the greatest fence it has seen for a shard, and refuses
/// smaller ones, can't be reached by an owner of the past.
///
/// Fences of one shard are ordered by epoch; fences of different shards say nothing about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fence {
    /// The shard.
    pub shard: ShardId,
    /// Its owner's epoch.
    pub epoch: Epoch,
}

impl Fence {
    /// Whether a sink that has seen `other` must refuse this one: the same shard, an earlier owner.
    pub fn is_older_than(&self, other: &Self) -> bool {
        self < other
    }
}

impl PartialOrd for Fence {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self.shard == other.shard).then(|| self.epoch.cmp(&other.epoch))
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.shard, self.epoch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fence(shard: u32, epoch: u64) -> Fence {
        Fence { shard: ShardId(shard), epoch: Epoch(epoch) }
    }

    #[test]
    fn an_earlier_owner_of_the_shard_is_older() {
        assert!(fence(3, 7).is_older_than(&fence(3, 8)));
        assert!(!fence(3, 8).is_older_than(&fence(3, 8)));
    }

    #[test]
    fn fences_of_different_shards_say_nothing_about_each_other() {
        assert!(!fence(3, 7).is_older_than(&fence(4, 8)));
        assert_eq!(fence(3, 7).partial_cmp(&fence(4, 8)), None);
    }
}
