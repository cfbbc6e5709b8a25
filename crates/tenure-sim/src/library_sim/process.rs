//! One process: a member of the shipped library, on a runtime that is turned by hand.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tenure::clock::{Clock, ManualClock};
use tenure::member::Puppet;
use tenure::store::Hint;
use tenure::{Member, MemberBuilder, Settings};
use tenure_core::Rules;
use tenure_core::ids::Process;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use super::ask::CLUSTER;
use super::connection::{Connection, Deaths, Outbox};
use super::work::{Bench, Book, Manners};
use crate::clock::{Clock as Drifting, Nanos};
use crate::faults::{Habit, Shape};
use crate::surroundings::{ProcessNo, member_id};

/// So many turns bring a runtime to rest: each runs every task that is ready, and no chain of causes is longer.
const TURNS: usize = 24;

/// What a process is started with.
#[derive(Debug)]
pub(super) struct Birth {
    pub(super) no: ProcessNo,
    pub(super) member: usize,
    pub(super) name: String,
    pub(super) habit: Habit,
    pub(super) bits: (u128, u128),
    pub(super) rules: Rules,
    pub(super) drifting: Drifting,
}

/// What it shares with all others.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) outbox: Outbox,
    pub(super) book: Book,
    pub(super) manners: Manners,
    pub(super) deaths: Option<Deaths>,
}

/// One process.
#[derive(Debug)]
pub(super) struct SimProcess {
    pub(super) member: usize,
    /// Member and number, such as `b/2`.
    pub(super) name: String,
    pub(super) process: Process,
    /// How long it waits for an answer of the store.
    call_timeout: Duration,
    pub(super) drifting: Drifting,
    /// Whether it stands still, and since when.
    pub(super) frozen: Option<Nanos>,
    /// When it last went on after it had stood still.
    pub(super) thawed_at: Option<Nanos>,
    pub(super) leaving: bool,
    pub(super) hints: mpsc::UnboundedSender<Hint>,
    clock: Clock,
    hand: ManualClock,
    handle: Arc<OnceLock<Arc<Member>>>,
    over: Arc<AtomicBool>,
    /// Whether it would have aborted itself.
    aborted: Arc<AtomicBool>,
    /// Taken when the process ends.
    runtime: Option<Runtime>,
}

impl SimProcess {
    /// Starts a process at `now`.
    pub(super) fn start(now: Nanos, birth: Birth, shape: &Shape, with: &Shared) -> Self {
        let (clock, hand) = Clock::manual(birth.drifting.read(now));
        let (hints, heard) = mpsc::unbounded_channel();
        let runtime = Builder::new_current_thread().build().expect("a runtime without drivers needs nothing");
        let (handle, over) = (Arc::new(OnceLock::new()), Arc::new(AtomicBool::new(false)));
        let connection = Connection {
            from: birth.no,
            outbox: with.outbox.clone(),
            hints: Mutex::new(Some(heard)),
            deaths: with.deaths.clone(),
        };
        let bench = Bench {
            process: birth.no,
            clock: clock.clone(),
            book: with.book.clone(),
            manners: with.manners.clone(),
            seed: birth.bits.1 as u64,
        };
        let (member, process, drifting) = (birth.member, Process(birth.bits.0), birth.drifting.clone());
        let (bits, rules, aborted) = (birth.bits, birth.rules, Arc::new(AtomicBool::new(false)));
        let puppet = Puppet { process: bits.0, entropy: bits.1, rules, aborted: Arc::clone(&aborted) };
        let settings = settings(birth.member, &birth.habit, shape);
        let builder = Member::builder(connection).settings(settings).with_clock(clock.clone()).puppet(puppet);
        runtime.spawn(live(builder, bench, Arc::clone(&handle), Arc::clone(&over)));
        Self {
            member,
            name: birth.name,
            process,
            call_timeout: birth.habit.timing.call_timeout,
            drifting,
            frozen: None,
            thawed_at: None,
            leaving: false,
            hints,
            clock,
            hand,
            handle,
            over,
            aborted,
            runtime: Some(runtime),
        }
    }

    /// Whether it has not ended.
    pub(super) fn lives(&self) -> bool {
        self.runtime.is_some()
    }

    /// Whether it does something.
    pub(super) fn runs(&self) -> bool {
        self.lives() && self.frozen.is_none()
    }

    /// Whether it lives, but has not started yet or is about to leave.
    pub(super) fn is_half_there(&self) -> bool {
        self.lives() && (self.leaving || self.handle.get().is_none())
    }

    /// Whether it knows its cluster.
    pub(super) fn has_started(&self) -> bool {
        self.handle.get().is_some()
    }

    /// When the time of a call is over that it makes now.
    pub(super) fn time_over(&self, now: Nanos) -> Nanos {
        self.drifting.when(self.drifting.read(now) + self.call_timeout)
    }

    /// When it does something by itself, in true time.
    pub(super) fn next(&self) -> Option<Nanos> {
        self.hand.next().filter(|_| self.runs()).map(|local| self.drifting.when(local))
    }

    /// It is `now`: its clock shows so, whether it runs or not.
    pub(super) fn show(&mut self, now: Nanos) {
        let ahead = self.drifting.read(now).since(self.clock.now());
        if !ahead.is_zero() {
            self.hand.advance(ahead);
        }
    }

    /// Lets it run until it waits. Whether it has ended by itself.
    pub(super) fn turn(&mut self) -> bool {
        if let Some(runtime) = self.runtime.as_ref().filter(|_| self.frozen.is_none()) {
            runtime.block_on(async {
                for _ in 0..TURNS {
                    tokio::task::yield_now().await;
                }
            });
        }
        self.lives() && (self.over.load(Ordering::Acquire) || self.has_aborted())
    }

    /// Whether it would have aborted itself, were it not simulated.
    pub(super) fn has_aborted(&self) -> bool {
        self.aborted.load(Ordering::Acquire)
    }

    /// Whether it stands still, or did so within the last `span`.
    pub(super) fn stood_still_since(&self, now: Nanos, span: Nanos) -> bool {
        self.frozen.is_some() || self.thawed_at.is_some_and(|at| now < at + span)
    }

    /// Hands everything on, or leaves at once.
    pub(super) fn leave(&mut self, at_once: bool) {
        let (Some(runtime), Some(member)) = (&self.runtime, self.handle.get().cloned()) else { return };
        self.leaving = true;
        runtime
            .spawn(async move { if at_once { member.leave_at_once().await } else { member.leave().await } });
    }

    /// Ends it, with everything in it.
    pub(super) fn kill(&mut self) {
        self.runtime = None;
    }
}

/// What a process of a member is told.
fn settings(member: usize, habit: &Habit, shape: &Shape) -> Settings {
    let timing = &habit.timing;
    let mut settings = Settings::default();
    settings.cluster = CLUSTER.into();
    settings.shards = shape.shards;
    settings.member_id = Some(member_id(member).to_string());
    settings.weight = habit.weight;
    settings.zone = shape.zone(member);
    settings.lease_ttl = timing.ttl;
    settings.lease_detach_margin = Some(timing.margin);
    settings.lease_slack = Some(timing.slack);
    settings.lease_renew_interval = Some(timing.renew_every);
    settings.lease_ttl_max = Some(shape.ttl_max);
    settings.clock_drift = timing.drift;
    settings.detachment_recover_window = Some(timing.recover_window);
    settings.acquire_retry_interval = Some(timing.acquire_retry_interval);
    settings.shard_rebalance_debounce = Some(timing.debounce);
    settings.placement = shape.placement;
    settings.spread_zones = shape.spread_zones;
    settings.ledger_page_size = shape.page_size;
    settings.plan_stagger = Some(timing.stagger);
    settings.poll_interval = Some(timing.poll);
    settings.store_timeout = Some(timing.call_timeout);
    settings.drain_limit = timing.drain_limit;
    settings.leave_limit = timing.leave_limit;
    settings.abort_limit = Some(timing.abort_limit);
    settings.on_stuck = shape.on_stuck;
    let restart = shape.restart(timing.ttl);
    settings.restart_backoff = restart.first;
    settings.restart_backoff_max = restart.longest;
    settings.restart_hand_on_after = restart.hand_on_after;
    settings.restart_forgiven_after = restart.forgiven_after;
    settings
}

/// From the start to the end, as a user would write it.
async fn live(
    builder: MemberBuilder,
    bench: Bench,
    handle: Arc<OnceLock<Arc<Member>>>,
    over: Arc<AtomicBool>,
) {
    if let Ok(member) = builder.start().await {
        let member = Arc::clone(handle.get_or_init(|| Arc::new(member)));
        let _ = member.run(move |shard| bench.clone().work(shard)).await;
    }
    over.store(true, Ordering::Release);
}
