//! The workers of one member: one for each shard that has work here, from its beginning to its end.
//!
//! ```text
//!   Warm ─► task spawned, loads ──┐
//!   Act ──────────────────────────┴─► gets its Shard, works ─► future ended, Shard dropped ─► Ended
//!   Interrupt ─► token cancelled, task aborted ───────────────────────────┘        (joined, never assumed)
//!   Cool ─► task aborted, nothing is told
//! ```
//!
//! Until the user has said what to do with shards, workers wait without a task: a shard that is lost before that has
//! ended already.

use std::collections::BTreeMap;
use std::sync::Arc;

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, MemberId, ShardId};
use tenure_core::message::Outcome;
use tenure_core::moment::Moment;
use tokio::runtime::Handle;
use tracing::debug;

use super::consumer::Consumer;
use super::worker::{Worker, WorkerId, key_of};
use super::{Hold, Inbox, Input, Running};
use crate::clock::Clock;
use crate::journal::layer::Metered;
use crate::member::Event;
use crate::shard::{Fence, ShardPhase};
use crate::store::Registration;

/// All workers of a member.
#[derive(Debug)]
pub(crate) struct Workers {
    member: MemberId,
    clock: Clock,
    inbox: Inbox,
    running: Running,
    alive: Option<Arc<dyn Registration>>,
    consumer: Option<Consumer>,
    by_fence: BTreeMap<(ShardId, Epoch), Worker>,
    acting: usize,
    serial: u64,
    /// The runtime on which the user's work runs.
    runtime: Handle,
    /// Counts what is asked of the journals of all shards.
    journals: Metered,
}

/// What is told of a worker that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) fence: Fence,
    /// When it was asked to drain, if it was.
    pub(crate) drained_at: Option<Moment>,
}

impl Workers {
    pub(crate) fn new(
        member: MemberId,
        clock: Clock,
        inbox: Inbox,
        running: Running,
        alive: Option<Arc<dyn Registration>>,
        runtime: Handle,
        journals: Metered,
    ) -> Self {
        Self {
            member,
            clock,
            inbox,
            running,
            alive,
            consumer: None,
            by_fence: BTreeMap::new(),
            acting: 0,
            serial: 0,
            runtime,
            journals,
        }
    }

    /// Whether it was said what is done with shards.
    pub(crate) fn has_consumer(&self) -> bool {
        self.consumer.is_some()
    }

    /// Says what is done with shards, those included that have come already.
    pub(crate) fn take_consumer(&mut self, consumer: Consumer) {
        self.consumer = Some(consumer);
        let waiting: Vec<_> = self.by_fence.keys().copied().collect();
        waiting.into_iter().for_each(|key| self.go_on(key));
    }

    /// Sends an event to the stream, if the user reads one.
    pub(crate) fn tell(&self, event: Event) {
        if let Some(Consumer::Stream(events)) = &self.consumer {
            let _ = events.send(event);
        }
    }

    /// How many shards are acted for.
    pub(crate) fn acting(&self) -> usize {
        self.acting
    }

    pub(crate) fn warm(&mut self, seat: Seat) {
        let key = self.worker(seat);
        self.go_on(key);
    }

    pub(crate) fn act(&mut self, seat: Seat) {
        let key = self.worker(seat);
        if let Some(worker) = self.by_fence.get_mut(&key) {
            self.acting += usize::from(!worker.acting);
            worker.acting = true;
            log(&self.member, worker.id.fence, "acts");
        }
        self.go_on(key);
    }

    pub(crate) fn drain(&mut self, seat: &Seat, now: Moment, until: Moment) {
        let Some(worker) = self.by_fence.get_mut(&key_of(seat)) else { return };
        worker.drained_at.get_or_insert(now);
        worker.tell_phase(ShardPhase::Draining);
        let fence = worker.id.fence;
        log(&self.member, fence, "is to finish: the shard is promised to another member");
        self.tell(Event::Draining { fence, limit: until.since(now) });
        self.end_if_idle(seat);
    }

    pub(crate) fn resume(&mut self, seat: &Seat) {
        let Some(worker) = self.by_fence.get_mut(&key_of(seat)) else { return };
        worker.drained_at = None;
        worker.tell_phase(ShardPhase::Acting);
        let fence = worker.id.fence;
        self.tell(Event::Resumed(fence));
    }

    /// Ends the work; that it has ended is told by the inbox, once it has.
    pub(crate) fn interrupt(&mut self, seat: &Seat) {
        let Some(worker) = self.by_fence.get_mut(&key_of(seat)) else { return };
        worker.call_off();
        let fence = worker.id.fence;
        log(&self.member, fence, "is interrupted");
        self.tell(Event::Lost(fence));
        self.end_if_idle(seat);
    }

    pub(crate) fn cool(&mut self, seat: &Seat) {
        if let Some(mut worker) = self.remove(key_of(seat)) {
            worker.call_off();
        }
    }

    /// The worker `id` has ended. `None` if it was given up before: then its end is of no interest.
    pub(crate) fn ended(&mut self, id: WorkerId) -> Option<Ended> {
        let key = (id.fence.shard, id.fence.epoch);
        if self.by_fence.get(&key).is_none_or(|worker| worker.id != id) {
            return None;
        }
        let worker = self.remove(key)?;
        log(&self.member, id.fence, "has ended");
        Some(Ended { fence: id.fence, drained_at: worker.drained_at })
    }

    fn remove(&mut self, key: (ShardId, Epoch)) -> Option<Worker> {
        let worker = self.by_fence.remove(&key)?;
        self.acting -= usize::from(worker.acting);
        Some(worker)
    }

    fn worker(&mut self, seat: Seat) -> (ShardId, Epoch) {
        let key = key_of(&seat);
        self.serial += 1;
        let id = WorkerId { fence: Fence { shard: key.0, epoch: key.1 }, serial: self.serial };
        self.by_fence.entry(key).or_insert_with(|| Worker::new(id, seat));
        key
    }

    /// Brings a worker as far as it may go: begun, once there is a consumer; in possession of its shard, once it may act.
    fn go_on(&mut self, key: (ShardId, Epoch)) {
        let (Some(consumer), Some(worker)) = (&self.consumer, self.by_fence.get_mut(&key)) else { return };
        if !worker.is_started() {
            worker.start(consumer, &self.member, &self.inbox, &self.runtime);
        }
        if worker.acting {
            worker.hand_over(&self.clock, &self.journals, |end| {
                Hold::new(&self.running, self.alive.clone(), end)
            });
        }
    }

    /// A worker that was never begun has nothing to end.
    fn end_if_idle(&self, seat: &Seat) {
        let Some(worker) = self.by_fence.get(&key_of(seat)) else { return };
        if !worker.is_started() {
            let _ = self.inbox.send(Input::Ended { worker: worker.id, outcome: Outcome::Done });
        }
    }
}

/// For those who follow one shard through the logs of all members.
fn log(member: &MemberId, fence: Fence, what: &str) {
    debug!(%member, shard = %fence.shard, epoch = fence.epoch.0, "work {what}");
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.by_fence.values_mut().for_each(Worker::call_off);
    }
}
