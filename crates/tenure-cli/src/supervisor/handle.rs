//! The member's side: starts the helpers, orders, hears of ends; and takes over if they die or do not answer.
//!
//! Three plain threads: one sends orders, one hears reports, so that neither a slow warden nor a busy runtime waits for the
//! other; one looks at the helpers' pulses. The lease needs none of them: it is written where the helpers read it. When the
//! helpers are gone the member has adopted what they left (see [`super::tree`]); every job is told as ended only after all of
//! that has been ended.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tenure::MemberId;
use tenure::clock::Clock;
use tenure::store::LAST_WORD;
use tenure_core::moment::Moment;
use tenure_core::warden::{Ending, JobId, Order, Pulse, Report, Term, Work};
use tokio::sync::{oneshot, watch};

use super::args::{self, HelperArgs};
use super::children::OURSELVES;
use super::jobs::{Jobs, Sent};
use super::records::Records;
use super::slate::{Helper, Slate};
use super::tree;
use super::wakefulness::Wakefulness;
use super::wire::Wire;
use crate::talk;

/// What is supervised, and how.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The member.
    pub(crate) member: MemberId,
    /// What it runs.
    pub(crate) command: Vec<OsString>,
    /// What every run finds in its environment.
    pub(crate) environment: Vec<(&'static str, String)>,
    /// What it does not find there, although this process does.
    pub(crate) withheld: Vec<OsString>,
    /// The limit of descriptors that every run gets.
    pub(crate) descriptors: Option<u64>,
    /// How long a lease lasts.
    pub(crate) ttl: Duration,
    /// How much earlier than the lease's end everything is killed.
    pub(crate) allowance: Duration,
    /// Whether all that runs lives in a namespace of its own.
    pub(crate) isolated: bool,
    /// Where the history goes.
    pub(crate) history: Option<PathBuf>,
    /// What keeps others from proving the member dead.
    pub(crate) lock: Option<OwnedFd>,
}

/// One run of the command.
#[derive(Debug)]
pub(crate) struct Job {
    /// Names it.
    pub(crate) id: JobId,
    /// How it ended, once nothing of it lives.
    pub(crate) ended: oneshot::Receiver<Ending>,
}

/// The member's end: it gives orders to the helpers, and knows when they are gone. Clones are the same one.
#[derive(Clone, Debug)]
pub(crate) struct Supervisor(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    orders: Mutex<Option<mpsc::Sender<Sent>>>,
    jobs: Mutex<Jobs>,
    next: AtomicU64,
    slate: Slate,
    /// How often the helpers show that they live.
    beat: Duration,
    wakefulness: Mutex<Wakefulness>,
    /// The reaper: with it goes the warden, and with that everything.
    process: OwnedFd,
    lock: Option<File>,
    /// Which helper did not answer.
    silent: OnceLock<Helper>,
    over: watch::Sender<bool>,
}

impl Supervisor {
    /// Starts the helpers. From now on this process adopts what its descendants leave behind.
    pub(crate) fn start(plan: Plan) -> io::Result<Self> {
        tree::adopt_orphans()?;
        let records = Records::open(plan.member.clone(), plan.history.as_deref())?;
        let (wire, there) = Wire::pair()?;
        let (reaper_wire, reaper_there) = Wire::pair()?;
        let (slate, beat) = (Slate::new()?, plan.ttl / Pulse::IN_A_TTL);
        let child = spawn(&plan, beat, reaper_there)?;
        let process = pidfd_open(Pid::from_child(&child), PidfdFlags::empty())?;
        let shared_slate = slate.share()?;
        let given =
            [there.as_fd(), shared_slate.as_fd()].into_iter().chain(plan.lock.iter().map(AsFd::as_fd));
        reaper_wire.send(&Order::Hello, &given.collect::<Vec<_>>())?;
        drop(there);
        let (orders, ordered) = mpsc::channel();
        let shared = Arc::new(Shared {
            orders: Mutex::new(Some(orders)),
            jobs: Mutex::new(Jobs::new()),
            next: AtomicU64::new(0),
            slate,
            beat,
            wakefulness: Mutex::new(Wakefulness::new(Clock::boot().now(), beat)),
            process,
            lock: plan.lock.map(File::from),
            silent: OnceLock::new(),
            over: watch::Sender::new(false),
        });
        let wire = Arc::new(wire);
        let (sending, receiving, watching) = (Arc::clone(&wire), Arc::clone(&shared), Arc::clone(&shared));
        on_a_thread("warden-orders", move || send_all(&sending, &reaper_wire, &ordered))?;
        on_a_thread("warden-reports", move || receiving.hear_all(&wire, child, &records))?;
        on_a_thread("warden-pulses", move || watching.feel_pulses())?;
        Ok(Self(shared))
    }

    /// Runs the command once, in this life; its output goes to `output`, if that is given.
    pub(crate) fn run(&self, life: u64, work: Work, output: Option<[OwnedFd; 2]>) -> Job {
        let id = JobId(self.0.next.fetch_add(1, Ordering::Relaxed));
        let (end, ended) = oneshot::channel();
        self.0.jobs().add(id, life, work, output.into_iter().flatten().collect(), end);
        self.0.send_starts();
        Job { id, ended }
    }

    /// Asks a run to end.
    pub(crate) fn terminate(&self, job: JobId) {
        if !self.0.jobs().call_off(job) {
            self.0.order((Order::Terminate(job), Vec::new()));
        }
    }

    /// Ends a run.
    pub(crate) fn kill(&self, job: JobId) {
        if !self.0.jobs().call_off(job) {
            self.0.order((Order::Kill(job), Vec::new()));
        }
    }

    /// The member may act as `term` says. Never waits.
    pub(crate) fn lease(&self, term: Term, began_or_ended: bool) {
        // The memory is there since the slate was made. A lease that could not be written ends all the earlier.
        if let Err(error) = self.0.slate.set_term(term) {
            talk::error(&format!("the lease can't be told to the warden: {error}"));
        }
        if began_or_ended {
            self.0.order((Order::Look, Vec::new()));
        }
    }

    /// Which helper had to be killed, since it did not answer.
    pub(crate) fn silent(&self) -> Option<&'static str> {
        self.0.silent.get().map(|helper| helper.name())
    }

    /// Completes when the warden is gone and nothing that it held lives. Cancel-safe.
    pub(crate) async fn gone(&self) {
        // The sender lives as long as this handle.
        let _ = self.0.over.subscribe().wait_for(|over| *over).await;
    }

    /// Tells the warden that it is over, and waits until nothing lives.
    pub(crate) async fn dismiss(&self) {
        drop(lock(&self.0.orders).take());
        self.gone().await;
    }
}

impl Shared {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        lock(&self.jobs)
    }

    fn order(&self, order: Sent) {
        if let Some(orders) = lock(&self.orders).as_ref() {
            // A warden that is gone takes no orders; all its jobs are told as ended.
            let _ = orders.send(order);
        }
    }

    /// Sends as many starts as may be on their way.
    fn send_starts(&self) {
        let mut jobs = self.jobs();
        while let Some(start) = jobs.send() {
            self.order(start);
        }
    }

    fn hear_all(&self, wire: &Wire, reaper: Child, records: &Records) {
        // Ends with the warden, or with the first word of it that makes no sense.
        while let Ok(Some(packet)) = wire.receive::<Report>() {
            self.hear(packet.message);
        }
        self.name_the_silent();
        self.reap(reaper);
        self.close(records);
    }

    fn hear(&self, report: Report) {
        match report {
            Report::Begun(job) => self.jobs().begun(job),
            Report::Ended(job, ending) => self.jobs().end(job, ending),
            Report::Trouble(what) => talk::error(&what),
        }
        self.send_starts();
    }

    /// Ends a helper that does not answer, and with it everything: a frozen helper ends no child in time.
    fn feel_pulses(&self) {
        let mut pulses = [Helper::Reaper, Helper::Warden].map(|helper| (helper, Pulse::default()));
        while !self.jobs().is_over() {
            thread::sleep(self.beat);
            lock(&self.wakefulness).look(Clock::boot().now());
            for (helper, pulse) in &mut pulses {
                if pulse.look(self.slate.pulse(*helper)) {
                    let _ = self.silent.set(*helper);
                    // Not the reaper alone: a warden that can't die, in uninterruptible sleep, would keep the rest alive.
                    tree::fell_all();
                }
            }
        }
    }

    /// The kernel may have ended a frozen reaper before we missed its pulse: then that is what people must know.
    fn name_the_silent(&self) {
        let now = Clock::boot().now();
        for helper in [Helper::Reaper, Helper::Warden] {
            let beat = Moment::from_nanos(self.slate.pulse(helper));
            if beat != Moment::ZERO && now.since(beat) > self.beat * 3 {
                let _ = self.silent.set(helper);
            }
        }
    }

    /// Ends the helpers, if they haven't, and all that they left; then it is sure that nothing acts.
    fn reap(&self, mut reaper: Child) {
        let _ = pidfd_send_signal(&self.process, Signal::KILL);
        let _ = reaper.wait();
        tree::sweep();
        if let Some(mut lock) = self.lock.as_ref() {
            // Without this word others wait for the lease.
            let _ = lock.write_all(LAST_WORD);
        }
    }

    fn close(&self, records: &Records) {
        let beat = Moment::from_nanos(self.slate.pulse(Helper::Warden));
        let seen = lock(&self.wakefulness).saw_the_end(Clock::boot().now(), beat);
        self.jobs().close(|work| {
            if !seen {
                return;
            }
            if let Err(error) = records.end(work, &Ending::Bereft.to_string()) {
                talk::error(&format!("the history can't be written: {error}"));
            }
        });
        self.over.send_replace(true);
    }
}

fn on_a_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(work).map(drop)
}

fn spawn(plan: &Plan, beat: Duration, there: Wire) -> io::Result<Child> {
    let args = HelperArgs {
        member: plan.member.clone(),
        allowance: plan.allowance,
        beat,
        isolated: plan.isolated,
        descriptors: plan.descriptors,
        history: plan.history.clone(),
        command: plan.command.clone(),
    };
    let mut command = Command::new(OURSELVES);
    command.arg0("tenure").args(args.to_argv(args::REAPER)).stdin(there.into_end());
    for name in &plan.withheld {
        command.env_remove(name);
    }
    command.envs(plan.environment.iter().map(|(name, value)| (name, value)));
    command.spawn()
}

/// Ends when the last order was given, or the warden takes none.
fn send_all(wire: &Wire, reaper: &Wire, orders: &mpsc::Receiver<Sent>) {
    for (order, descriptors) in orders {
        let borrowed: Vec<_> = descriptors.iter().map(AsFd::as_fd).collect();
        if order == Order::Look {
            // A reaper that has many of these unread will look anyway.
            let _ = reaper.try_send(&order);
        }
        if wire.send(&order, &borrowed).is_err() {
            break;
        }
    }
    wire.finish();
    reaper.finish();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
