//! The work that members do: it keeps its guard where the judge can ask it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tenure::clock::Clock;
use tenure::{BoxError, Fence, Shard, ShardId};
use tokio::sync::oneshot;

use crate::chance::Chance;
use crate::faults::Work;
use crate::promises::{Promise, Verdict};
use crate::surroundings::{ProcessNo, Surroundings};

/// Work that may still go on.
#[derive(Debug)]
pub(super) struct Piece {
    /// The process that it runs in.
    pub(super) process: ProcessNo,
    pub(super) fence: Fence,
    pub(super) shard: Weak<Shard>,
}

impl Piece {
    /// Whether it may act now.
    pub(super) fn acts(&self) -> bool {
        self.shard.upgrade().is_some_and(|shard| shard.holds())
    }
}

/// All work, of all processes.
#[derive(Clone, Debug, Default)]
pub(super) struct Book(Arc<Mutex<Vec<Piece>>>);

impl Book {
    /// What is written down.
    pub(super) fn pieces(&self) -> MutexGuard<'_, Vec<Piece>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shards that somebody may act for.
    pub(super) fn acting(&self) -> Vec<ShardId> {
        self.pieces().iter().filter(|piece| piece.acts()).map(|piece| piece.fence.shard).collect()
    }

    /// Work that is left of an epoch while another process acts at a later one, unless its process is `excused`.
    pub(super) fn outlived<'n>(
        &self,
        excused: impl Fn(ProcessNo) -> bool,
        name: impl Fn(ProcessNo) -> &'n str,
    ) -> Verdict {
        let pieces = self.pieces();
        for piece in pieces.iter().filter(|piece| piece.acts()) {
            let earlier = |other: &&Piece| {
                other.fence.is_older_than(&piece.fence)
                    && other.process != piece.process
                    && other.shard.strong_count() > 0
            };
            if let Some(left) = pieces.iter().find(earlier).filter(|left| !excused(left.process)) {
                let (shard, old, new) = (piece.fence.shard, name(left.process), name(piece.process));
                let text = format!("{new} acts for {shard:?}, and work of {old} for it is left");
                return Err((Promise::EarlierEnded, text));
            }
        }
        Ok(())
    }
}

/// How work behaves; shares are of ten thousand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    shares: Work,
    ttl: Duration,
    /// So long something that it started keeps its shard, after the work itself has ended or was interrupted.
    clings: Duration,
}

impl Manner {
    /// How work behaves in a seed.
    pub(super) fn draw(around: &mut Surroundings<'_>) -> Self {
        let ttl = around.shape.ttl();
        let clings = Duration::from_nanos(around.chance.pick(&[0, ttl / 100, ttl / 20, ttl / 2]));
        Self { shares: around.faults.work, ttl: Duration::from_nanos(ttl), clings }
    }

    /// So long it waits at most before it asks its guard again.
    fn pace(&self) -> Duration {
        self.ttl / 20
    }

    /// So long it needs at most to finish.
    fn finishes(&self, chance: &mut Chance) -> Duration {
        if chance.in_10k(self.shares.lingers) { self.ttl * 2 } else { self.ttl / 50 }
    }
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

    /// From now on work behaves well.
    pub(super) fn tame(&self) {
        let mut manner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (manner.shares, manner.clings) = (Work::default(), manner.clings.min(manner.ttl / 20));
    }
}

/// Where the work of one process is done.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub(super) process: ProcessNo,
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
        if chance.in_10k(self.manners.now().shares.fails) {
            self.clock.sleep(up_to(&mut chance, self.manners.now().pace())).await;
            return Err("the seed wants it".into());
        }
        let stubborn = chance.in_10k(self.manners.now().shares.ignores_drain);
        while !shard.draining() || stubborn && self.manners.now().shares.ignores_drain > 0 {
            shard.check()?;
            self.clock.sleep(up_to(&mut chance, self.manners.now().pace())).await;
        }
        let finishes = self.manners.now().finishes(&mut chance);
        self.finish(up_to(&mut chance, finishes)).await;
        Ok(())
    }

    /// Takes its time to finish, unless it is tamed meanwhile.
    async fn finish(&self, span: Duration) {
        let at = self.clock.now() + span;
        loop {
            let left = at.since(self.clock.now());
            if left.is_zero() || self.manners.now().shares.lingers == 0 && left > self.manners.now().ttl / 50
            {
                return;
            }
            self.clock.sleep(left.min(self.manners.now().pace())).await;
        }
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
