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
use std::sync::Arc;

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, MemberId, ShardId};
use tenure_core::message::Outcome;
use tenure_core::moment::Moment;
use tokio::runtime::Handle;
use tracing::debug;

use super::job::Duty;
use super::post::{Post, PostId, key_of};
use super::{Hold, Inbox, Input, Running};
use crate::clock::Clock;
use crate::member::Event;
use crate::shard::{Fence, ShardPhase};
use crate::store::Registration;

/// Everybody at work.
#[derive(Debug)]
pub(crate) struct Crew {
    member: MemberId,
    clock: Clock,
    inbox: Inbox,
    running: Running,
    alive: Option<Arc<dyn Registration>>,
    duty: Option<Duty>,
    posts: BTreeMap<(ShardId, Epoch), Post>,
    acting: usize,
    serial: u64,
    /// The runtime on which the user's work runs.
    workshop: Handle,
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
        workshop: Handle,
    ) -> Self {
        Self {
            member,
            clock,
            inbox,
            running,
            alive,
            duty: None,
            posts: BTreeMap::new(),
            acting: 0,
            serial: 0,
            workshop,
        }
    }

    /// Whether it was said what is done with shards.
    pub(crate) fn has_duty(&self) -> bool {
        self.duty.is_some()
    }

    /// Says what is done with shards, those included that have come already.
    pub(crate) fn take_duty(&mut self, duty: Duty) {
        self.duty = Some(duty);
        let waiting: Vec<_> = self.posts.keys().copied().collect();
        waiting.into_iter().for_each(|key| self.go_on(key));
    }

    /// An event for whoever reads them, if anybody does.
    pub(crate) fn tell(&self, event: Event) {
        if let Some(Duty::Give(events)) = &self.duty {
            let _ = events.send(event);
        }
    }

    /// How many shards are acted for.
    pub(crate) fn acting(&self) -> usize {
        self.acting
    }

    pub(crate) fn warm(&mut self, seat: Seat) {
        let key = self.post(seat);
        self.go_on(key);
    }

    pub(crate) fn act(&mut self, seat: Seat) {
        let key = self.post(seat);
        if let Some(post) = self.posts.get_mut(&key) {
            self.acting += usize::from(!post.acting);
            post.acting = true;
            log(&self.member, post.id.fence, "acts");
        }
        self.go_on(key);
    }

    pub(crate) fn drain(&mut self, seat: &Seat, now: Moment, until: Moment) {
        let Some(post) = self.posts.get_mut(&key_of(seat)) else { return };
        post.drained_at.get_or_insert(now);
        post.tell_phase(ShardPhase::Draining);
        let fence = post.id.fence;
        log(&self.member, fence, "is to finish: the shard is promised to another member");
        self.tell(Event::Draining { fence, limit: until.since(now) });
        self.end_if_idle(seat);
    }

    pub(crate) fn resume(&mut self, seat: &Seat) {
        let Some(post) = self.posts.get_mut(&key_of(seat)) else { return };
        post.drained_at = None;
        post.tell_phase(ShardPhase::Acting);
        let fence = post.id.fence;
        self.tell(Event::Resumed(fence));
    }

    /// Ends the work; that it has ended is told by the inbox, once it has.
    pub(crate) fn interrupt(&mut self, seat: &Seat) {
        let Some(post) = self.posts.get_mut(&key_of(seat)) else { return };
        post.call_off();
        let fence = post.id.fence;
        log(&self.member, fence, "is interrupted");
        self.tell(Event::Lost(fence));
        self.end_if_idle(seat);
    }

    pub(crate) fn cool(&mut self, seat: &Seat) {
        if let Some(mut post) = self.remove(key_of(seat)) {
            post.call_off();
        }
    }

    /// The work at `id` has ended. `None` if the post was given up before: nobody asks any more.
    pub(crate) fn ended(&mut self, id: PostId) -> Option<Left> {
        let key = (id.fence.shard, id.fence.epoch);
        if self.posts.get(&key).is_none_or(|post| post.id != id) {
            return None;
        }
        let post = self.remove(key)?;
        log(&self.member, id.fence, "has ended");
        Some(Left { fence: id.fence, drained_at: post.drained_at })
    }

    fn remove(&mut self, key: (ShardId, Epoch)) -> Option<Post> {
        let post = self.posts.remove(&key)?;
        self.acting -= usize::from(post.acting);
        Some(post)
    }

    fn post(&mut self, seat: Seat) -> (ShardId, Epoch) {
        let key = key_of(&seat);
        self.serial += 1;
        let id = PostId { fence: Fence { shard: key.0, epoch: key.1 }, serial: self.serial };
        self.posts.entry(key).or_insert_with(|| Post::new(id, seat));
        key
    }

    /// Brings a post as far as it may go: begun, once there is a duty; in possession of its shard, once it may act.
    fn go_on(&mut self, key: (ShardId, Epoch)) {
        let (Some(duty), Some(post)) = (&self.duty, self.posts.get_mut(&key)) else { return };
        if !post.is_started() {
            post.start(duty, &self.member, &self.inbox, &self.workshop);
        }
        if post.acting {
            post.hand_over(&self.clock, |end| Hold::new(&self.running, self.alive.clone(), end));
        }
    }

    /// A post that was never begun has nothing to end.
    fn end_if_idle(&self, seat: &Seat) {
        let Some(post) = self.posts.get(&key_of(seat)) else { return };
        if !post.is_started() {
            let _ = self.inbox.send(Input::Ended { post: post.id, outcome: Outcome::Done });
        }
    }
}

/// For those who follow one shard through the logs of all members.
fn log(member: &MemberId, fence: Fence, what: &str) {
    debug!(%member, shard = %fence.shard, epoch = fence.epoch.0, "work {what}");
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.posts.values_mut().for_each(Post::call_off);
    }
}
