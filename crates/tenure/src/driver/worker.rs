//! One shard's work here, from the moment that the shard is known to come.
//!
//! Whether a handler works or the shard is given away, its end is the same: the future, if there is one, has ended, and the
//! last hold on the shard was dropped. A task waits for that and tells it; nothing else ever does.

use std::convert::Infallible;
use std::sync::Arc;

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, MemberId, ShardId};
use tenure_core::message::Outcome;
use tenure_core::moment::Moment;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{AbortHandle, JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::consumer::{ComingShard, Consumer, Handler, WorkResult};
use super::{Hold, Inbox, Input};
use crate::clock::Clock;
use crate::error::chain;
use crate::journal::layer::Metered;
use crate::member::Event;
use crate::shard::{Fence, Shard, ShardPhase};

/// One time that a shard was worked on here; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorkerId {
    pub(super) fence: Fence,
    pub(super) serial: u64,
}

/// Who gets the shard once it may act.
#[derive(Debug)]
enum Taker {
    /// A handler's task, which waits for it.
    Task(oneshot::Sender<(Shard, Hold)>),
    /// The reader of the stream of events.
    Stream(mpsc::UnboundedSender<Event>),
}

/// One shard's work.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) id: WorkerId,
    pub(super) acting: bool,
    pub(super) drained_at: Option<Moment>,
    seat: Seat,
    phase: watch::Sender<ShardPhase>,
    over: CancellationToken,
    taker: Option<Taker>,
    end: Option<oneshot::Sender<Infallible>>,
    task: Option<AbortHandle>,
    started: bool,
}

impl Worker {
    pub(super) fn new(id: WorkerId, seat: Seat) -> Self {
        Self {
            id,
            acting: false,
            drained_at: None,
            seat,
            phase: watch::Sender::new(ShardPhase::Acting),
            over: CancellationToken::new(),
            taker: None,
            end: None,
            task: None,
            started: false,
        }
    }

    /// Whether anything was begun that will tell of its end.
    pub(super) fn is_started(&self) -> bool {
        self.started
    }

    /// Begins; the shard itself follows when it may act.
    pub(super) fn start(&mut self, consumer: &Consumer, member: &MemberId, inbox: &Inbox, runtime: &Handle) {
        let (end, ended) = oneshot::channel();
        (self.started, self.end) = (true, Some(end));
        let task = match consumer {
            Consumer::Handler(handler) => Some(self.start_task(Arc::clone(handler), member, runtime)),
            Consumer::Stream(events) => {
                self.taker = Some(Taker::Stream(events.clone()));
                None
            }
        };
        tokio::spawn(tell_end(self.id, task, ended, inbox.clone()));
    }

    /// The work runs where its user started the member, and can block nothing but itself there.
    fn start_task(
        &mut self,
        handler: Handler,
        member: &MemberId,
        runtime: &Handle,
    ) -> JoinHandle<WorkResult> {
        let (begin, begun) = oneshot::channel();
        let fence = self.id.fence;
        // A trace of its own: one that hung below the member's would not end before the member does.
        let span =
            tracing::info_span!(parent: None, "shard", %member, shard = %fence.shard, epoch = %fence.epoch);
        let work = async move { handler(ComingShard { fence, begin: begun }).await };
        let task = runtime.spawn(work.instrument(span));
        (self.task, self.taker) = (Some(task.abort_handle()), Some(Taker::Task(begin)));
        task
    }

    /// Gives the shard to its taker, once. If the taker is gone, the shard is dropped, and its end is told.
    pub(super) fn hand_over(
        &mut self,
        clock: &Clock,
        journals: &Metered,
        hold: impl FnOnce(oneshot::Sender<Infallible>) -> Hold,
    ) {
        let (Some(taker), Some(end)) = (self.taker.take(), self.end.take()) else { return };
        let hold = hold(end);
        let phase = self.phase.subscribe();
        let (seat, over, journals) = (self.seat.clone(), self.over.clone(), journals.clone());
        let shard = Shard::new(seat, clock.clone(), phase, over, journals, hold.clone());
        match taker {
            Taker::Task(begin) => drop(begin.send((shard, hold))),
            Taker::Stream(events) => drop(events.send(Event::Gained(shard))),
        }
    }

    pub(super) fn tell_phase(&self, phase: ShardPhase) {
        self.phase.send_replace(phase);
    }

    /// Ends the work: by the token, which all of it can see, and by dropping its future at the next await.
    pub(super) fn call_off(&mut self) {
        // Work that never got its shard has nothing else to wait for.
        (self.taker, self.end) = (None, None);
        self.tell_phase(ShardPhase::Over);
        self.over.cancel();
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Where a seat's work is to be found.
pub(super) fn key_of(seat: &Seat) -> (ShardId, Epoch) {
    (seat.shard(), seat.epoch())
}

async fn tell_end(
    worker: WorkerId,
    task: Option<JoinHandle<WorkResult>>,
    ended: oneshot::Receiver<Infallible>,
    inbox: Inbox,
) {
    let outcome = match task {
        Some(task) => outcome(task.await),
        None => Outcome::Done,
    };
    // Nothing is ever sent: this waits until the last hold is dropped.
    let _ = ended.await;
    let _ = inbox.send(Input::Ended { worker, outcome });
}

fn outcome(result: Result<WorkResult, JoinError>) -> Outcome {
    match result {
        Ok(Ok(())) => Outcome::Done,
        Ok(Err(error)) => Outcome::Failed(chain(error.as_ref())),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => Outcome::Failed(format!("panicked: {}", panic_words(panic.as_ref()))),
            Err(_cancelled) => Outcome::Done,
        },
    }
}

/// What a panic said.
pub(super) fn panic_words(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(words), _) => words,
        (None, Some(words)) => words,
        (None, None) => "without words",
    }
}
