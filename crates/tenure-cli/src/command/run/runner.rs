//! One shard, from the moment that it is owned until nothing runs for it any more.
//!
//! The library drops a handler's future when the shard is lost; the child can't be dropped. So the [`Shard`] goes to a task of
//! its own, which keeps it until the warden has said that nothing of the child lives: only then is the shard released.

use std::sync::Arc;

use tenure::clock::Clock;
use tenure::{BoxError, Shard};
use tenure_core::warden::{Ending, Work};
use tokio::sync::oneshot;
use tracing::Instrument;

use super::lease_relay::LeaseRelay;
use super::output::Output;
use super::restart::{Next, PAUSE, Restart};
use crate::supervisor::{Job, Supervisor};
use crate::talk;

/// Runs the command for each shard.
#[derive(Debug)]
pub(super) struct Runner {
    pub(super) supervisor: Supervisor,
    pub(super) relay: Arc<LeaseRelay>,
    pub(super) restart: Restart,
    /// `None`: children write where this process does.
    pub(super) output: Option<Output>,
}

/// Why a run ended.
enum End {
    /// By itself.
    Own(Ending),
    /// Because it was asked to.
    Asked,
}

impl Runner {
    /// Runs the command for `shard` until the shard is to move, is lost, or the work is done.
    pub(super) async fn shard(self: Arc<Self>, shard: Shard) -> Result<(), BoxError> {
        // If this future is dropped, the task goes on until the child has ended.
        let work = async move { self.keep(shard).await };
        tokio::spawn(work.in_current_span()).await?
    }

    async fn keep(&self, shard: Shard) -> Result<(), BoxError> {
        loop {
            let ending = match self.run_once(&shard).await? {
                // Should the move be called off meanwhile, the library calls us again.
                End::Asked => return Ok(()),
                End::Own(ending) => ending,
            };
            match self.restart.after(&ending) {
                Next::Again => pause(&shard).await,
                Next::Done => return Ok(()),
                Next::Lapsed => self.outlast(&shard).await,
                Next::Failed(error) => return Err(error),
            }
            if shard.draining() || shard.check().is_err() {
                return Ok(());
            }
        }
    }

    /// The lease was over, or nearly: until the shard is lost, or a late renewal has saved it.
    async fn outlast(&self, shard: &Shard) {
        self.relay.tell_lapse();
        while self.relay.is_short() {
            if Clock::boot().timeout(self.relay.patience(), shard.ended()).await.is_ok() {
                return;
            }
        }
    }

    async fn run_once(&self, shard: &Shard) -> Result<End, BoxError> {
        let output = self.output.as_ref().map(|output| output.of(shard.id())).transpose()?;
        let (lease, life) = self.relay.tell();
        // Asked after the lease was looked at: a shard that is held now is not of an earlier life.
        shard.check()?;
        let incarnation = lease.incarnation.map(|life| life.to_string()).unwrap_or_default();
        let (id, epoch, traceparent) = (shard.id(), shard.epoch(), talk::traceparent());
        let work = Work { shard: id, epoch, incarnation, traceparent };
        let mut job = self.supervisor.run(life, work, output);
        tokio::select! {
            ending = &mut job.ended => Ok(End::Own(known(ending))),
            () = shard.drained() => {
                self.end(shard, job).await;
                Ok(End::Asked)
            }
        }
    }

    /// Ends a run: politely while the shard is held, then not. One that does not die keeps its shard, and nothing else: before
    /// the lease ends, the warden and those behind it see to it.
    async fn end(&self, shard: &Shard, mut job: Job) {
        self.supervisor.terminate(job.id);
        tokio::select! {
            _ended = &mut job.ended => return,
            () = shard.ended() => {}
        }
        self.supervisor.kill(job.id);
        if Clock::boot().timeout(self.relay.patience(), &mut job.ended).await.is_err() {
            let shard = shard.id();
            talk::say(&format!(
                "the command of shard {shard} was killed and is not dead yet; the shard is stuck until it is"
            ));
            let _ended = job.ended.await;
            talk::say(&format!("the command of shard {shard} is dead; the shard can go on"));
        }
    }
}

async fn pause(shard: &Shard) {
    let _ = Clock::boot().timeout(PAUSE, shard.drained()).await;
}

/// Every job is told its end; one that isn't has lost the warden's side of this process.
fn known(ending: Result<Ending, oneshot::error::RecvError>) -> Ending {
    ending.unwrap_or(Ending::Bereft)
}
