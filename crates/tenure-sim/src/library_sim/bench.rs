//! The work that members do: it keeps its guard where the judge can ask it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tenure::clock::Clock;
use tenure::{BoxError, Fence, Shard, ShardId};
use tokio::sync::oneshot;

use crate::chance::Chance;
use crate::promises::{Promise, Verdict};

/// Work that may still go on.
#[derive(Debug)]
pub(super) struct Piece {
    /// The process that it runs in.
    pub(super) process: usize,
    pub(super) fence: Fence,
    pub(super) shard: Weak<Shard>,
}

/// All work, of all processes.
#[derive(Clone, Debug, Default)]
pub(super) struct Book(Arc<Mutex<Vec<Piece>>>);

impl Book {
    /// What is written down.
    pub(super) fn pieces(&self) -> MutexGuard<'_, Vec<Piece>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who may act for which shard.
    pub(super) fn acting(&self) -> impl Iterator<Item = (ShardId, usize)> {
        let pieces = self.pieces();
        let acts = |piece: &&Piece| piece.shard.upgrade().is_some_and(|shard| shard.holds());
        let acting = pieces.iter().filter(acts).map(|piece| (piece.fence.shard, piece.process));
        acting.collect::<Vec<_>>().into_iter()
    }

    /// Work that is left of an epoch while another process acts at a later one, unless its process is `excused`.
    pub(super) fn outlived(&self, excused: impl Fn(usize) -> bool) -> Verdict {
        let pieces = self.pieces();
        for piece in pieces.iter().filter(|piece| piece.shard.upgrade().is_some_and(|shard| shard.holds())) {
            let earlier = |other: &&Piece| {
                other.fence.shard == piece.fence.shard
                    && other.fence.epoch < piece.fence.epoch
                    && other.process != piece.process
                    && other.shard.strong_count() > 0
            };
            if let Some(left) = pieces.iter().find(earlier).filter(|left| !excused(left.process)) {
                let (shard, old, new) = (piece.fence.shard, left.process, piece.process);
                let text = format!("{new} acts for s{shard}, and work of {old} for it is left");
                return Err((Promise::EarlierEnded, text));
            }
        }
        Ok(())
    }
}

/// How work behaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// So often in ten thousand it fails instead of going on.
    pub(super) fails: u32,
    /// So long it needs at most to finish when it is asked to.
    pub(super) lingers: Duration,
    /// So long something that it started keeps its shard, after the work itself has ended or was interrupted.
    pub(super) clings: Duration,
    /// So long it waits at most before it asks its guard again.
    pub(super) pace: Duration,
}

/// How all work behaves now.
#[derive(Clone, Debug)]
pub(super) struct Manners(Arc<Mutex<Manner>>);

impl Manners {
    pub(super) fn new(manner: Manner) -> Self {
        Self(Arc::new(Mutex::new(manner)))
    }

    fn now(&self) -> Manner {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on it behaves like this.
    pub(super) fn change(&self, manner: Manner) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = manner;
    }
}

/// Where the work of one process is done.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub(super) process: usize,
    pub(super) clock: Clock,
    pub(super) book: Book,
    pub(super) manners: Manners,
    pub(super) seed: u64,
}

impl Bench {
    /// Works for a shard until it must end.
    pub(super) async fn work(self, shard: Shard) -> Result<(), BoxError> {
        let fence = shard.fence();
        let shard = Arc::new(shard);
        let piece = Piece { process: self.process, fence, shard: Arc::downgrade(&shard) };
        self.book.pieces().push(piece);
        let _working = self.cling(&shard);
        let mut chance = Chance::new(self.seed ^ u64::from(fence.shard.0) << 32 ^ fence.epoch.0);
        while !shard.draining() {
            shard.check()?;
            if chance.in_10k(self.manners.now().fails) {
                return Err("the seed wants it".into());
            }
            self.clock.sleep(up_to(&mut chance, self.manners.now().pace)).await;
        }
        self.clock.sleep(up_to(&mut chance, self.manners.now().lingers)).await;
        Ok(())
    }

    /// Something that the work started holds on to the shard for a little longer than the work, which ends when what is given here
    /// is dropped.
    fn cling(&self, shard: &Arc<Shard>) -> oneshot::Sender<Infallible> {
        let (working, ended) = oneshot::channel();
        let (shard, clock, manners) = (Arc::clone(shard), self.clock.clone(), self.manners.clone());
        tokio::spawn(async move {
            let _ = ended.await;
            clock.sleep(manners.now().clings).await;
            drop(shard);
        });
        working
    }
}

fn up_to(chance: &mut Chance, most: Duration) -> Duration {
    Duration::from_nanos(chance.below(most.as_nanos() as u64) + 1)
}
