//! Runs many seeds on several threads, and counts them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::bug::Bug;
use crate::clock::Nanos;
use crate::log::Log;
use crate::promises::Violation;
use crate::{journal, library_sim, machine_sim, supervisor_sim};

/// How many seeds a thread takes at once.
const BATCH: u64 = 16;

/// Which seeds to run, and how.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    /// The first seed.
    pub start: u64,
    /// How many.
    pub seeds: u64,
    /// On how many threads.
    pub jobs: usize,
    /// What is run.
    pub trial: Trial,
    /// With which rule broken.
    pub bug: Option<Bug>,
    /// Whether the first seed that breaks a promise ends the run.
    pub stop_at_first: bool,
}

/// What a seed is run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The machines, with the simulator's own driver.
    Machines,
    /// The shipped library.
    Library,
    /// The helpers that hold a member's child processes.
    Supervisor,
    /// The journal.
    Journal,
}

impl Trial {
    /// What a bug is looked for in.
    pub fn of(bug: Bug) -> Self {
        match bug {
            Bug::Core(_) | Bug::Outside(_) => Self::Machines,
            Bug::Helpers(_) => Self::Supervisor,
            Bug::Journal(_) => Self::Journal,
        }
    }

    /// Whether `bug` is of a rule that this runs by.
    pub fn can_have(self, bug: Bug) -> bool {
        let runs_machines = if self == Self::Library { Self::Machines } else { self };
        Self::of(bug) == runs_machines
    }

    /// Runs a seed: the promise it broke, if any.
    pub fn run(self, seed: u64, bug: Option<Bug>, log: &mut Log) -> Option<Violation> {
        match self {
            Self::Machines => machine_sim::run(seed, bug, Nanos::MAX, log),
            Self::Library => library_sim::run(seed, bug, log),
            Self::Supervisor => supervisor_sim::run(seed, bug),
            Self::Journal => journal::walk::run(seed, bug, log),
        }
    }
}

/// A seed that broke a promise.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// What it broke.
    pub violation: Violation,
}

struct Shared {
    next: AtomicU64,
    done: AtomicU64,
    stop: AtomicBool,
}

impl Fleet {
    /// Runs the seeds; `progress` hears, about ten times a second, how many are done. Failures are in the order of seeds.
    pub fn run(&self, progress: impl FnMut(u64)) -> Vec<Failure> {
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let shared = Shared { next, done, stop: AtomicBool::new(false) };
        let (found, failures) = channel();
        let mut all = thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                let found = found.clone();
                scope.spawn(|| self.work(&shared, found));
            }
            drop(found);
            collect(&failures, &shared, progress)
        });
        all.sort_by_key(|failure| failure.seed);
        all
    }

    fn work(&self, shared: &Shared, found: Sender<Failure>) {
        while !shared.stop.load(Ordering::Relaxed) {
            let first = shared.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= self.seeds {
                return;
            }
            for place in first..(first + BATCH).min(self.seeds) {
                self.try_seed(self.start + place, shared, &found);
            }
        }
    }

    fn try_seed(&self, seed: u64, shared: &Shared, found: &Sender<Failure>) {
        if let Some(violation) = self.trial.run(seed, self.bug, &mut Log::off()) {
            shared.stop.fetch_or(self.stop_at_first, Ordering::Relaxed);
            // The other end waits until all threads are done, so somebody listens.
            let _ = found.send(Failure { seed, violation });
        }
        shared.done.fetch_add(1, Ordering::Relaxed);
    }
}

fn collect(failures: &Receiver<Failure>, shared: &Shared, mut progress: impl FnMut(u64)) -> Vec<Failure> {
    use std::sync::mpsc::RecvTimeoutError;
    let mut all = Vec::new();
    loop {
        match failures.recv_timeout(std::time::Duration::from_millis(100)) {
            Ok(failure) => all.push(failure),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        progress(shared.done.load(Ordering::Relaxed));
    }
    progress(shared.done.load(Ordering::Relaxed));
    all
}
