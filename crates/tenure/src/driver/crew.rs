//! The work of one member: who is at which post, and when each has left it.
//!
//! ```text
//!   Warm ─► task spawned, loads ──┐
//!   Act ──────────────────────────┴─► gets its Shard, works ─► future ended, Shard dropped ─► Ended
//!   Interrupt ─► token cancelled, task aborted ───────────────────────────┘        (joined, never assumed)
//!   Cool ─► task aborted, nothing is told
//! ```
//!
//! Until the user has said what to do with shards, posts wait without a task: a shard that is lost before that has
//! ended already.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, MemberId, ShardId};
use tenure_core::member::Outcome;
use tenure_core::moment::Moment;
use tokio::sync::{oneshot, watch};
use tokio::task::{AbortHandle, JoinError};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::{Hold, Inbox, Input, Job, Running, Ticket, job::WorkResult};
use crate::clock::Clock;
use crate::error::chain;
use crate::shard::{Fence, Phase, Shard};
use crate::store::Registration;

/// One time that a shard was worked on here; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PostId {
    fence: Fence,
    serial: u64,
}

#[derive(Debug)]
struct Post {
    id: PostId,
    seat: Seat,
    phase: watch::Sender<Phase>,
    over: CancellationToken,
    acting: bool,
    drained_at: Option<Moment>,
    begin: Option<oneshot::Sender<(Shard, Hold)>>,
    end: Option<oneshot::Sender<Infallible>>,
    task: Option<AbortHandle>,
}

/// Everybody at work.
pub(crate) struct Crew {
    member: MemberId,
    clock: Clock,
    inbox: Inbox,
    running: Running,
    alive: Option<Arc<dyn Registration>>,
    job: Option<Job>,
    posts: BTreeMap<(ShardId, Epoch), Post>,
    serial: u64,
}

/// What became of a post that was left.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) fence: Fence,
    /// When it was asked to drain, if it was.
    pub(crate) drained_at: Option<Moment>,
}

impl Crew {
    pub(crate) fn new(
        member: MemberId,
        clock: Clock,
        inbox: Inbox,
        running: Running,
        alive: Option<Arc<dyn Registration>>,
    ) -> Self {
        Self { member, clock, inbox, running, alive, job: None, posts: BTreeMap::new(), serial: 0 }
    }

    /// Whether it was said what is done with shards.
    pub(crate) fn is_attached(&self) -> bool {
        self.job.is_some()
    }

    /// Says what is done with shards, those included that have come already.
    pub(crate) fn attach(&mut self, job: Job) {
        self.job = Some(job);
        let waiting: Vec<_> = self.posts.keys().copied().collect();
        waiting.into_iter().for_each(|key| self.go_on(key));
    }

    /// How many shards are acted for.
    pub(crate) fn acting(&self) -> usize {
        self.posts.values().filter(|post| post.acting).count()
    }

    pub(crate) fn warm(&mut self, seat: Seat) {
        let key = self.post(seat);
        self.go_on(key);
    }

    pub(crate) fn act(&mut self, seat: Seat) {
        let key = self.post(seat);
        if let Some(post) = self.posts.get_mut(&key) {
            post.acting = true;
        }
        self.go_on(key);
    }

    pub(crate) fn drain(&mut self, seat: &Seat, now: Moment) {
        let Some(post) = self.posts.get_mut(&key_of(seat)) else { return };
        post.drained_at.get_or_insert(now);
        post.phase.send_replace(Phase::Draining);
        self.end_if_idle(seat);
    }

    pub(crate) fn resume(&mut self, seat: &Seat) {
        let Some(post) = self.posts.get_mut(&key_of(seat)) else { return };
        post.drained_at = None;
        post.phase.send_replace(Phase::Acting);
    }

    /// Ends the work; that it has ended is told by the inbox, once it has. `false`: nothing is at work there.
    pub(crate) fn interrupt(&mut self, seat: &Seat) -> bool {
        let Some(post) = self.posts.get_mut(&key_of(seat)) else { return false };
        post.call_off();
        self.end_if_idle(seat);
        true
    }

    pub(crate) fn cool(&mut self, seat: &Seat) {
        if let Some(mut post) = self.posts.remove(&key_of(seat)) {
            post.call_off();
        }
    }

    /// The work at `id` has ended. `None` if the post was given up before: nobody asks any more.
    pub(crate) fn ended(&mut self, id: PostId) -> Option<Left> {
        let key = (id.fence.shard, id.fence.epoch);
        if self.posts.get(&key).is_none_or(|post| post.id != id) {
            return None;
        }
        let post = self.posts.remove(&key)?;
        Some(Left { fence: id.fence, drained_at: post.drained_at })
    }

    fn post(&mut self, seat: Seat) -> (ShardId, Epoch) {
        let key = key_of(&seat);
        self.serial += 1;
        let id = PostId { fence: Fence { shard: key.0, epoch: key.1 }, serial: self.serial };
        self.posts.entry(key).or_insert_with(|| Post::new(id, seat));
        key
    }

    /// Brings a post as far as it may go: a task, once there is a job; its shard, once it may act.
    fn go_on(&mut self, key: (ShardId, Epoch)) {
        let Some(job) = self.job.clone() else { return };
        let Some(post) = self.posts.get_mut(&key) else { return };
        if post.task.is_none() {
            post.start(&job, &self.member, &self.inbox);
        }
        if post.acting {
            post.hand_over(&self.clock, &self.running, self.alive.clone());
        }
    }

    /// A post without a task has nothing to end.
    fn end_if_idle(&self, seat: &Seat) {
        let Some(post) = self.posts.get(&key_of(seat)) else { return };
        if post.task.is_none() {
            let _ = self.inbox.send(Input::Ended { post: post.id, outcome: Outcome::Done });
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.posts.values_mut().for_each(Post::call_off);
    }
}

impl Post {
    fn new(id: PostId, seat: Seat) -> Self {
        Self {
            id,
            seat,
            phase: watch::Sender::new(Phase::Acting),
            over: CancellationToken::new(),
            acting: false,
            drained_at: None,
            begin: None,
            end: None,
            task: None,
        }
    }

    fn start(&mut self, job: &Job, member: &MemberId, inbox: &Inbox) {
        let (begin, begun) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let (job, fence) = (Arc::clone(job), self.id.fence);
        let span = tracing::info_span!("shard", %member, shard = %fence.shard, epoch = %fence.epoch);
        let work = async move { job(Ticket { fence, begin: begun }).await };
        let task = tokio::spawn(work.instrument(span));
        self.task = Some(task.abort_handle());
        (self.begin, self.end) = (Some(begin), Some(end));
        let (post, inbox) = (self.id, inbox.clone());
        tokio::spawn(async move {
            let result = task.await;
            // Nobody ever sends: this waits until the last hold is dropped.
            let _ = ended.await;
            let _ = inbox.send(Input::Ended { post, outcome: outcome(result) });
        });
    }

    /// If the task has ended already, the shard is dropped at once, and the end is told.
    fn hand_over(&mut self, clock: &Clock, running: &Running, alive: Option<Arc<dyn Registration>>) {
        let (Some(begin), Some(end)) = (self.begin.take(), self.end.take()) else { return };
        let hold = Hold::new(running, alive, end);
        let shard = Shard::new(
            self.seat.clone(),
            clock.clone(),
            self.phase.subscribe(),
            self.over.clone(),
            hold.clone(),
        );
        let _ = begin.send((shard, hold));
    }

    fn call_off(&mut self) {
        // Work that never got its shard has nothing else to wait for.
        (self.begin, self.end) = (None, None);
        self.phase.send_replace(Phase::Over);
        self.over.cancel();
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

fn key_of(seat: &Seat) -> (ShardId, Epoch) {
    (seat.shard(), seat.epoch())
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

fn panic_words(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(words), _) => words,
        (None, Some(words)) => words,
        (None, None) => "without words",
    }
}
