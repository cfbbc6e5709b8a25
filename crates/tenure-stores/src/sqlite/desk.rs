//! The thread that owns the connection.
//!
//! SQLite blocks: on locks, on the disk. So one thread per handle does nothing else. It waits on one `poll` for everything it
//! serves: calls to answer, the bell of changes, processes whose end somebody wants to know.
//!
//! A call whose caller has gone before its turn is not carried out; one whose turn has come is, and may take effect though
//! nobody hears of it.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use tenure::clock::Clock;
use tenure::store::{Hint, StoreError, StoreErrorKind};
use tokio::sync::{broadcast, oneshot};

use super::client::Session;
use super::custody::Custodian;
use super::error::{KIND, Trouble};
use super::open::{Purpose, open};
use super::place::Place;
use super::vigil::{Vigil, Vigils};
use super::watch::{Bell, Look};
use crate::trouble::StoreTrouble;

/// A watcher that is further behind than this is told "something changed" instead of what.
const HINTS_KEPT: usize = 256;

type Work = Box<dyn FnOnce(&mut Session) + Send>;

enum Job {
    Work(Work),
    Vigil(Vigil),
    Close,
}

/// Where calls are handed in.
#[derive(Debug)]
pub(super) struct Desk {
    jobs: mpsc::Sender<Job>,
    wake: Arc<OwnedFd>,
    hints: broadcast::Sender<Hint>,
}

impl Desk {
    /// Opens the database at `place` for `purpose`, on a thread of its own.
    pub(super) async fn open(
        place: Place,
        purpose: Purpose,
        patience: Duration,
    ) -> Result<(Self, Custodian), StoreError> {
        let named = place.file().display().to_string();
        let failed = |cause: std::io::Error| {
            let message = "the system refuses a thread or a descriptor; raise its limits";
            StoreError::new(StoreErrorKind::Unavailable, KIND, "open", named.clone(), message)
                .caused_by(cause)
        };
        let (sender, jobs) = mpsc::channel();
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK);
        let wake = Arc::new(wake.map_err(|errno| failed(errno.into()))?);
        let vigils = Vigils::new().map_err(|errno| failed(errno.into()))?;
        let desk = Self { jobs: sender, wake: Arc::clone(&wake), hints: broadcast::Sender::new(HINTS_KEPT) };
        let (opened, answer) = oneshot::channel();
        let hints = desk.hints.clone();
        let thread = std::thread::Builder::new().name("tenure-sqlite".into());
        thread
            .spawn(move || Clerk::serve(&place, (purpose, patience), (jobs, wake, hints, vigils), opened))
            .map_err(failed)?;
        let custodian = answer.await.unwrap_or_else(|_| Err(Trouble::Closed.on("open", &named)))?;
        Ok((desk, custodian))
    }

    /// Has `work` done on the connection. Dropped before its turn, it is not done; afterwards it is.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (reply, answer) = oneshot::channel();
        self.hand_in(Job::Work(Box::new(move |session| {
            if !reply.is_closed() {
                // Nobody may be left to hear it.
                let _ = reply.send(work(session));
            }
        })));
        answer.await.unwrap_or(Err(Trouble::Closed))
    }

    /// Completes when the process ends, or when that can't be told any more: look for yourself.
    pub(super) fn vigil(&self, process: OwnedFd) -> oneshot::Receiver<()> {
        let (told, end) = oneshot::channel();
        self.hand_in(Job::Vigil(Vigil { process, told }));
        end
    }

    /// What others change from now on.
    pub(super) fn hints(&self) -> broadcast::Receiver<Hint> {
        let hints = self.hints.subscribe();
        self.ring();
        hints
    }

    fn hand_in(&self, job: Job) {
        // A thread that has ended drops the job, and with it the reply: its caller learns that.
        let _ = self.jobs.send(job);
        self.ring();
    }

    fn ring(&self) {
        // Fails only if it has been rung 2⁶⁴ times unheard: the thread is awake then.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.hand_in(Job::Close);
    }
}

/// The thread's own half.
struct Clerk {
    session: Session,
    jobs: mpsc::Receiver<Job>,
    wake: Arc<OwnedFd>,
    hints: broadcast::Sender<Hint>,
    bell: Bell,
    vigils: Vigils,
    clock: Clock,
}

/// What ended a wait.
#[derive(Clone, Copy)]
struct Woken {
    bell: bool,
    vigils: bool,
}

type Lines = (mpsc::Receiver<Job>, Arc<OwnedFd>, broadcast::Sender<Hint>, Vigils);

impl Clerk {
    fn serve(
        place: &Place,
        (purpose, patience): (Purpose, Duration),
        (jobs, wake, hints, vigils): Lines,
        told: oneshot::Sender<Result<Custodian, StoreError>>,
    ) {
        let opened = open(place, purpose, patience).and_then(|opened| {
            let custodian = opened.custodian;
            let session = Session::new(opened, place.clone(), patience);
            let named = place.file().display().to_string();
            let session = session.map_err(|error| Trouble::in_step(error, patience).on("open", &named));
            Ok((session?, custodian))
        });
        let (answer, session) = match opened {
            Ok((session, custodian)) => (Ok(custodian), Some(session)),
            Err(error) => (Err(error), None),
        };
        let clock = Clock::boot();
        let bell = Bell::hang(&place.drawn(), clock.now());
        let heard = told.send(answer).is_ok();
        if let Some(session) = session.filter(|_| heard) {
            Self { session, jobs, wake, hints, bell, vigils, clock }.run();
        }
    }

    /// Ends when the desk is closed.
    fn run(mut self) {
        while self.answer() {
            let woken = self.wait();
            if woken.vigils {
                self.vigils.tell();
            }
            if woken.bell {
                self.bell.rang(self.clock.now());
            }
            self.look_if_due();
        }
    }

    /// Answers all calls that were handed in; false once the desk is closed.
    fn answer(&mut self) -> bool {
        let mut count = [0; 8];
        // Read before the jobs are: one handed in afterwards rings again.
        let _ = rustix::io::read(&self.wake, &mut count);
        while let Ok(job) = self.jobs.try_recv() {
            match job {
                Job::Work(work) => work(&mut self.session),
                Job::Vigil(vigil) => self.vigils.begin(vigil),
                Job::Close => return false,
            }
        }
        true
    }

    fn wait(&self) -> Woken {
        // While nobody watches, nobody needs to be woken.
        let bell = self.bell.fd().filter(|_| self.is_watched());
        let fds = [Some(self.wake.as_fd()), Some(self.vigils.fd()), bell];
        let mut fds: Vec<_> =
            fds.into_iter().flatten().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        // However it ends: what is ready says so, and what is due is looked up.
        let _ = poll(&mut fds, self.patience().as_ref());
        let is_ready = |number| fds.get(number).is_some_and(|fd: &PollFd<'_>| !fd.revents().is_empty());
        Woken { vigils: is_ready(1), bell: is_ready(2) }
    }

    /// How long to wait at most; without watchers nothing is to be looked for.
    fn patience(&self) -> Option<Timespec> {
        let patience = self.bell.deadline().since(self.clock.now());
        Timespec::try_from(patience).ok().filter(|_| self.is_watched())
    }

    fn is_watched(&self) -> bool {
        self.hints.receiver_count() > 0
    }

    fn look_if_due(&mut self) {
        if !self.is_watched() {
            return;
        }
        let hints = match self.bell.look(self.clock.now()) {
            Some(Look::AfterRing) => self.session.look_after_ring(),
            Some(Look::ByItself) => self.session.look_by_itself(),
            None => return,
        };
        self.tell(hints);
    }

    fn tell(&self, hints: Vec<Hint>) {
        for hint in hints {
            // The last watcher may just have gone.
            let _ = self.hints.send(hint);
        }
    }
}
