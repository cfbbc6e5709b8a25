//! The member's side: starts the warden, orders, hears of ends; and takes over if the warden dies.
//!
//! Two plain threads talk to the warden, one each way, so that neither a slow warden nor a busy runtime waits for the other. When
//! the warden is gone the member has adopted what it left (see [`super::tree`]); every job is told as ended only after all of
//! that has been ended.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};
use tenure::MemberId;
use tenure_core::moment::Moment;
use tokio::sync::{oneshot, watch};

use super::calling::{self, Calling};
use super::message::{Ending, JobId, Order, Report, Work};
use super::nursery::OURSELVES;
use super::records::Records;
use super::tree;
use super::wire::Wire;
use crate::talk;

/// What a warden is for.
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
    /// How much earlier than the lease's end everything is killed.
    pub(crate) allowance: Duration,
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

/// The warden of this member. Clones are the same one.
#[derive(Clone, Debug)]
pub(crate) struct Warden(Arc<Shared>);

/// An order, and what goes with it.
type Sent = (Order, Vec<OwnedFd>);

#[derive(Debug)]
struct Shared {
    orders: Mutex<Option<mpsc::Sender<Sent>>>,
    jobs: Mutex<Jobs>,
    next: AtomicU64,
    process: OwnedFd,
    over: watch::Sender<bool>,
}

/// A run that has not ended.
#[derive(Debug)]
struct Open {
    work: Work,
    end: oneshot::Sender<Ending>,
    /// Whether its beginning stands in the history.
    begun: bool,
}

#[derive(Debug, Default)]
struct Jobs {
    open: BTreeMap<JobId, Open>,
    over: bool,
}

impl Warden {
    /// Starts the warden. From now on this process adopts what its descendants leave behind.
    pub(crate) fn start(plan: Plan) -> io::Result<Self> {
        tree::adopt_orphans()?;
        let records = Records::open(plan.member.clone(), plan.history.as_deref())?;
        let (wire, there) = Wire::pair()?;
        let (sexton_wire, sexton_there) = Wire::pair()?;
        let child = spawn(&plan, sexton_there)?;
        let process = pidfd_open(Pid::from_child(&child), PidfdFlags::empty())?;
        let lock: Vec<_> = plan.lock.iter().map(AsFd::as_fd).collect();
        let for_sexton: Vec<_> = std::iter::once(there.as_fd()).chain(lock.iter().copied()).collect();
        sexton_wire.send(&Order::Hello, &for_sexton)?;
        wire.send(&Order::Hello, &lock)?;
        drop(there);
        let (orders, ordered) = mpsc::channel();
        let shared = Arc::new(Shared {
            orders: Mutex::new(Some(orders)),
            jobs: Mutex::default(),
            next: AtomicU64::new(0),
            process,
            over: watch::Sender::new(false),
        });
        let wire = Arc::new(wire);
        let (sending, receiving) = (Arc::clone(&wire), Arc::clone(&shared));
        let send = move || send_all(&sending, &sexton_wire, &ordered);
        thread::Builder::new().name("warden-orders".into()).spawn(send)?;
        thread::Builder::new()
            .name("warden-reports".into())
            .spawn(move || receiving.hear_all(&wire, child, &records))?;
        Ok(Self(shared))
    }

    /// Runs the command once; its output goes to `output`, if that is given.
    pub(crate) fn run(&self, work: Work, output: Option<[OwnedFd; 2]>) -> Job {
        let id = JobId(self.0.next.fetch_add(1, Ordering::Relaxed));
        let (end, ended) = oneshot::channel();
        let mut jobs = self.0.jobs();
        if jobs.over {
            let _ = end.send(Ending::Bereft);
        } else {
            jobs.open.insert(id, Open { work: work.clone(), end, begun: false });
            self.order(Order::Start(id, work), output.into_iter().flatten().collect());
        }
        Job { id, ended }
    }

    /// Asks a run to end.
    pub(crate) fn terminate(&self, job: JobId) {
        self.order(Order::Terminate(job), Vec::new());
    }

    /// Ends a run.
    pub(crate) fn kill(&self, job: JobId) {
        self.order(Order::Kill(job), Vec::new());
    }

    /// The member may act up to this moment.
    pub(crate) fn lease(&self, until: Moment) {
        self.order(Order::Lease(until.as_nanos()), Vec::new());
    }

    /// Kills the warden, which does not do what it is told; all that it held dies with it.
    pub(crate) fn condemn(&self) {
        // One that is gone already needs no further end.
        let _ = pidfd_send_signal(&self.0.process, Signal::KILL);
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

    fn order(&self, order: Order, descriptors: Vec<OwnedFd>) {
        if let Some(orders) = lock(&self.0.orders).as_ref() {
            // A warden that is gone takes no orders; all its jobs are told as ended.
            let _ = orders.send((order, descriptors));
        }
    }
}

impl Shared {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        lock(&self.jobs)
    }

    fn hear_all(&self, wire: &Wire, warden: Child, records: &Records) {
        // Ends with the warden, or with the first word of it that makes no sense.
        while let Ok(Some(packet)) = wire.receive::<Report>() {
            self.hear(packet.message);
        }
        self.bury(warden);
        self.close(records);
    }

    fn hear(&self, report: Report) {
        match report {
            Report::Begun(job) => {
                if let Some(open) = self.jobs().open.get_mut(&job) {
                    open.begun = true;
                }
            }
            Report::Ended(job, ending) => {
                if let Some(open) = self.jobs().open.remove(&job) {
                    // Whoever started it may not care any more.
                    let _ = open.end.send(ending);
                }
            }
            Report::Trouble(what) => talk::error(&what),
        }
    }

    /// Ends the warden, if it hasn't, and all that it left.
    fn bury(&self, mut warden: Child) {
        let _ = pidfd_send_signal(&self.process, Signal::KILL);
        let _ = warden.wait();
        tree::sweep();
    }

    fn close(&self, records: &Records) {
        let mut jobs = self.jobs();
        jobs.over = true;
        for open in std::mem::take(&mut jobs.open).into_values() {
            if open.begun
                && let Err(error) = records.end(&open.work, &Ending::Bereft.to_string())
            {
                talk::error(&format!("the history can't be written: {error}"));
            }
            let _ = open.end.send(Ending::Bereft);
        }
        self.over.send_replace(true);
    }
}

fn spawn(plan: &Plan, there: Wire) -> io::Result<Child> {
    let calling = Calling {
        parent: getpid().as_raw_pid(),
        member: plan.member.clone(),
        allowance: plan.allowance,
        descriptors: plan.descriptors,
        history: plan.history.clone(),
        command: plan.command.clone(),
    };
    let mut command = Command::new(OURSELVES);
    command.arg0("tenure").args(calling.arguments(calling::SEXTON)).stdin(there.into_end());
    for name in &plan.withheld {
        command.env_remove(name);
    }
    command.envs(plan.environment.iter().map(|(name, value)| (name, value)));
    command.spawn()
}

/// Ends when the last order was given, or the warden takes none.
fn send_all(wire: &Wire, sexton: &Wire, orders: &mpsc::Receiver<Sent>) {
    for (order, descriptors) in orders {
        let borrowed: Vec<_> = descriptors.iter().map(AsFd::as_fd).collect();
        if let Order::Lease(_) = order
            && sexton.send(&order, &[]).is_err()
        {
            break;
        }
        if wire.send(&order, &borrowed).is_err() {
            break;
        }
    }
    wire.finish();
    sexton.finish();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
