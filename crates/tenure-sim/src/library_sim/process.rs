//! One process: a member of the shipped library, on a runtime that is turned by hand.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use tenure::clock::{Clock, ManualClock};
use tenure::member::Puppet;
use tenure::store::Hint;
use tenure::{Member, MemberBuilder, Settings};
use tenure_core::flaw::Flaws;
use tenure_core::ids::Process;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use super::bench::{Bench, Book, Manners};
use super::line::{Graves, Line, Outbox};
use crate::clock::{Clock as Drifting, Nanos};

/// So many turns bring a runtime to rest: each runs every task that is ready, and no chain of causes is longer.
const TURNS: usize = 24;

/// What a process is started with.
#[derive(Debug)]
pub(super) struct Birth {
    pub(super) no: usize,
    pub(super) member: usize,
    pub(super) settings: Settings,
    pub(super) bits: (u128, u128),
    pub(super) flaws: Flaws,
    pub(super) drifting: Drifting,
}

/// What it shares with all others.
#[derive(Debug)]
pub(super) struct Surroundings {
    pub(super) outbox: Outbox,
    pub(super) book: Book,
    pub(super) manners: Manners,
    pub(super) graves: Option<Graves>,
}

/// One process.
#[derive(Debug)]
pub(super) struct Puppeteer {
    pub(super) member: usize,
    pub(super) process: Process,
    pub(super) drifting: Drifting,
    /// Whether it stands still, and since when.
    pub(super) frozen: Option<Nanos>,
    /// When it last went on after it had stood still.
    pub(super) thawed_at: Option<Nanos>,
    /// Until when its calls do not reach the store.
    pub(super) cut_until: Nanos,
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

impl Puppeteer {
    /// Starts a process at `now`.
    pub(super) fn start(now: Nanos, birth: Birth, with: &Surroundings) -> Self {
        let (clock, hand) = Clock::manual(birth.drifting.read(now));
        let (hints, heard) = mpsc::unbounded_channel();
        let runtime = Builder::new_current_thread().build().expect("a runtime without drivers needs nothing");
        let (handle, over) = (Arc::new(OnceLock::new()), Arc::new(AtomicBool::new(false)));
        let line = Line {
            from: birth.no,
            outbox: with.outbox.clone(),
            hints: Mutex::new(Some(heard)),
            graves: with.graves.clone(),
        };
        let bench = Bench {
            process: birth.no,
            clock: clock.clone(),
            book: with.book.clone(),
            manners: with.manners.clone(),
            seed: birth.bits.1 as u64,
        };
        let (member, process, drifting) = (birth.member, Process(birth.bits.0), birth.drifting.clone());
        let (bits, flaws, aborted) = (birth.bits, birth.flaws, Arc::new(AtomicBool::new(false)));
        let puppet = Puppet { process: bits.0, entropy: bits.1, flaws, aborted: Arc::clone(&aborted) };
        let builder = Member::builder(line).settings(birth.settings).with_clock(clock.clone()).puppet(puppet);
        runtime.spawn(live(builder, bench, Arc::clone(&handle), Arc::clone(&over)));
        Self {
            member,
            process,
            drifting,
            frozen: None,
            thawed_at: None,
            cut_until: 0,
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
