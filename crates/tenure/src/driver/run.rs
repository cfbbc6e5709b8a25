//! The loop.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt};
use tenure_core::ids::{Epoch, ShardId};
use tenure_core::member::Machine;
use tenure_core::message::{Ending, Event, Outcome, Reply};
use tenure_core::moment::Moment;
use tenure_core::record::Key;
use tokio::sync::{mpsc, watch};

use super::stage::Stage;
use super::worker::panic_words;
use super::{Calls, Command, Consumer, Deaths, Input, Location, Reporter, WorkerId, Workers};
use crate::clock::{Clock, ClockWatch};
use crate::error::{Error, ErrorKind};
use crate::member::{Event as OwnershipEvent, LeaseView};
use crate::router::Table;
use crate::store::Hint;
use crate::watchdog::Abort;

/// What a driver is made of.
pub(crate) struct Parts {
    pub(crate) machine: Machine,
    pub(crate) abort: Abort,
    pub(crate) me: Key,
    pub(crate) shards: u32,
    pub(crate) clock: Clock,
    pub(crate) drift: f64,
    pub(crate) margin: Duration,
    pub(crate) inbox: mpsc::UnboundedReceiver<Input>,
    pub(crate) hints: BoxStream<'static, Hint>,
    pub(crate) location: Location,
    pub(crate) calls: Calls,
    pub(crate) workers: Workers,
    pub(crate) deaths: Deaths,
    pub(crate) reporter: Reporter,
    pub(crate) stage: watch::Sender<Stage>,
    pub(crate) routes: watch::Sender<Arc<Table>>,
    pub(crate) term: watch::Sender<LeaseView>,
}

/// Runs one machine from its start to its end. Dropped before that, it closes every guard.
pub(crate) struct Driver {
    pub(super) parts: Parts,
    pub(super) clock_watch: ClockWatch,
    /// What happened while actions were carried out; it is told before anything else.
    pub(super) at_once: VecDeque<Event>,
    /// What was taken from the inbox before its turn.
    put_off: Option<Input>,
    pub(super) joined: bool,
    pub(super) routes_stale: bool,
    /// What was known of members when the routes were last drawn up.
    pub(super) members_known: u64,
    pub(super) ending: Option<Ending>,
}

enum Wake {
    Input(Input),
    Hint(Option<Hint>),
    Time,
}

impl Driver {
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            parts,
            clock_watch: ClockWatch::new(),
            at_once: VecDeque::new(),
            put_off: None,
            joined: false,
            routes_stale: false,
            members_known: 0,
            ending: None,
        }
    }

    /// Ends with the machine, or with a panic, which is told like any other end.
    pub(crate) async fn run(mut self) {
        if let Err(panic) = AssertUnwindSafe(self.follow()).catch_unwind().await {
            self.give_up(&format!("panicked: {}", panic_words(&*panic)));
        }
    }

    async fn follow(&mut self) {
        self.tell(Event::Start);
        while self.ending.is_none() && !self.parts.stage.borrow().is_over() {
            self.publish_routes();
            match self.wake().await {
                Wake::Input(Input::Ended { worker, outcome }) => {
                    // What ends together is told together: whatever else is about to end may do so first.
                    tokio::task::yield_now().await;
                    self.ended(worker, outcome);
                }
                Wake::Input(input) => self.take(input),
                Wake::Hint(hint) => self.hint(hint),
                Wake::Time => self.advance(),
            }
        }
        self.finish();
    }

    async fn wake(&mut self) -> Wake {
        if let Some(input) = self.put_off.take() {
            return Wake::Input(input);
        }
        let parts = &mut self.parts;
        let deadline = parts.machine.deadline();
        tokio::select! {
            biased;
            Some(input) = parts.inbox.recv() => Wake::Input(input),
            hint = parts.hints.next() => Wake::Hint(hint),
            () = until(&parts.clock, deadline) => Wake::Time,
        }
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Reply { call, reply, ledger } => {
                if let Reply::Members(members) = &reply {
                    self.parts.deaths.watch(members);
                }
                self.routes_stale |= ledger;
                self.tell(Event::Reply { call, reply });
            }
            Input::Ended { worker, outcome } => self.ended(worker, outcome),
            Input::Died(process) => self.tell(Event::Died(process)),
            Input::Command(command) => self.obey(command),
        }
    }

    /// Work ends in droves when a member leaves or lapses: all that has ended by now is told at once.
    fn ended(&mut self, worker: WorkerId, outcome: Outcome) {
        let mut ended: Vec<(ShardId, Epoch, Outcome)> =
            self.take_ended(worker, outcome).into_iter().collect();
        while let Some(input) = self.next_input() {
            match input {
                Input::Ended { worker, outcome } => ended.extend(self.take_ended(worker, outcome)),
                Input::Reply { .. } | Input::Died(_) | Input::Command(_) => {
                    self.put_off = Some(input);
                    break;
                }
            }
        }
        self.tell_ended(ended);
    }

    fn take_ended(&mut self, worker: WorkerId, outcome: Outcome) -> Option<(ShardId, Epoch, Outcome)> {
        let gone = self.parts.workers.ended(worker)?;
        if let Some(drained_at) = gone.drained_at {
            self.parts.reporter.metrics.handed_off(self.parts.clock.now().since(drained_at));
        }
        Some((gone.fence.shard, gone.fence.epoch, outcome))
    }

    fn tell_ended(&mut self, ended: Vec<(ShardId, Epoch, Outcome)>) {
        if ended.is_empty() {
            return;
        }
        let mut actions = Vec::new();
        let now = self.parts.clock.now();
        self.parts.machine.handle_ended(now, ended, &mut actions);
        self.carry_out(now, actions);
        self.catch_up();
    }

    fn next_input(&mut self) -> Option<Input> {
        self.put_off.take().or_else(|| self.parts.inbox.try_recv().ok())
    }

    fn hint(&mut self, hint: Option<Hint>) {
        let Some(hint) = hint else {
            // The store hints no more; the machine looks again on its own.
            self.parts.hints = futures_util::stream::pending().boxed();
            return;
        };
        let Some(path) = hint.key else { return self.tell(Event::Hint(None)) };
        match (self.parts.location.key(&path), hint.record, hint.rumour) {
            (Some(Key::Member(id)), Some(record), _) => self.tell(Event::Heard { id, record }),
            (Some(Key::Member(id)), None, Some(record)) => self.tell(Event::Rumour { id, record }),
            (Some(key), _, _) => self.tell(Event::Hint(Some(key))),
            (None, _, _) => {}
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Attach(consumer, answer) => drop(answer.send(self.attach(consumer))),
            Command::Snapshot(answer) => {
                let _ = answer.send(self.parts.machine.snapshot(self.parts.clock.now()));
            }
            Command::Want(shards) => self.tell(Event::Want(shards)),
            Command::Leave => self.tell(Event::Leave),
            Command::Hurry => self.tell(Event::Hurry),
        }
    }

    /// A stream that begins after the join is told of it before the first shard comes.
    fn attach(&mut self, consumer: Consumer) -> Result<(), Error> {
        if self.parts.workers.has_consumer() {
            return Err(attached_before());
        }
        if let (Consumer::Stream(events), true) = (&consumer, self.joined) {
            let _ = events.send(OwnershipEvent::Joined);
        }
        self.parts.workers.take_consumer(consumer);
        Ok(())
    }

    /// Tells the machine of an event, and of all that follows from it here.
    fn tell(&mut self, event: Event) {
        self.at_once.push_back(event);
        self.catch_up();
        // Events that come without a pause must not keep the machine from its deadlines.
        if self.parts.machine.deadline().is_some_and(|deadline| deadline <= self.parts.clock.now()) {
            self.advance();
        }
    }

    fn advance(&mut self) {
        let mut actions = Vec::new();
        let now = self.parts.clock.now();
        self.parts.machine.wall_clock(self.parts.clock.wall_ms());
        self.parts.machine.advance(now, &mut actions);
        self.carry_out(now, actions);
        self.catch_up();
    }

    /// Ends, because nothing here answers an event with one of its own for ever: a fault lapses once, an end is told once.
    fn catch_up(&mut self) {
        while let Some(event) = self.at_once.pop_front() {
            let mut actions = Vec::new();
            let now = self.parts.clock.now();
            self.parts.machine.wall_clock(self.parts.clock.wall_ms());
            self.parts.machine.handle(now, event, &mut actions);
            self.carry_out(now, actions);
        }
        self.parts.reporter.metrics.tenures(self.parts.workers.acting());
        self.publish_lease();
    }
}

impl Drop for Driver {
    /// A driver that ends with its machine has closed the lease already. One that is dropped with its runtime renews no more:
    /// whatever still runs is told at once instead of by time.
    fn drop(&mut self) {
        let over = self.parts.stage.borrow().is_over();
        if !over {
            self.give_up("was dropped before its member had left");
        }
        self.parts.machine.lease().close();
    }
}

async fn until(clock: &Clock, deadline: Option<Moment>) {
    match deadline {
        Some(deadline) => clock.sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

fn attached_before() -> Error {
    Error::new(
        ErrorKind::Invalid,
        "this member's shards are already taken care of: call run, run_warmed or events once",
    )
}
