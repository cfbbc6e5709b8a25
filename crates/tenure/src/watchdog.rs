//! Ends the process when its work outlives its lease.
//!
//! A closed guard stops nobody who doesn't ask it. Work that was interrupted and does not end (a loop without an await, a
//! lock that never comes) would go on while the shard gets its next owner. So a plain thread watches two atomics, the end
//! of the lease and the count of running work, and aborts the process while nobody else can own the shards yet:
//!
//! ```text
//!   acts ───────────┤ valid_until
//!                   ├─ abort_limit ─┤ abort, if work still runs
//!                   ├──────── margin, slack, drift ────────┤ others may own
//! ```
//!
//! The thread is not on the async runtime: a runtime that is blocked or starved can't stop it. It measures boot time, and
//! sleeps briefly, since a sleep does not count suspend. If the whole process was frozen past the limit (SIGSTOP, suspend),
//! it is too late to be in time; the work, which could not end while frozen, gets the abort limit once more from the
//! awakening. Its guards are closed meanwhile, as time alone closes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use tenure_core::guard::Lease;
use tenure_core::moment::Moment;

use crate::clock::Clock;
use crate::driver::Running;

const TICK_MIN: Duration = Duration::from_millis(2);
const TICK_MAX: Duration = Duration::from_millis(100);

/// A thread that watches. Dropped, it goes on until the last work has ended, and then ends itself.
#[derive(Debug)]
pub(crate) struct Watchdog {
    dismissed: Arc<AtomicBool>,
    thread: Thread,
}

impl Watchdog {
    /// Watches over `running` work that rests on `lease`.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn set(
        lease: Lease,
        running: Running,
        clock: Clock,
        limit: Duration,
    ) -> std::io::Result<Self> {
        let dismissed = Arc::new(AtomicBool::new(false));
        let watch =
            Watch { lease, running, clock, dismissed: Arc::clone(&dismissed), judge: Judge::new(limit) };
        let thread = thread::Builder::new().name("tenure-watchdog".into()).spawn(|| watch.keep())?;
        Ok(Self { dismissed, thread: thread.thread().clone() })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.dismissed.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// Says why, then ends the process without unwinding: nothing of it may act any more.
pub(crate) fn abort(why: &str) -> ! {
    eprintln!(
        "tenure: {why}; aborting this process, so that no two members act for one shard (on_stuck = \"abort\")"
    );
    std::process::abort()
}

struct Watch {
    lease: Lease,
    running: Running,
    clock: Clock,
    dismissed: Arc<AtomicBool>,
    judge: Judge,
}

impl Watch {
    /// Ends once it is dismissed and nothing runs.
    fn keep(mut self) {
        let mut now = self.clock.now();
        while !(self.dismissed.load(Ordering::Acquire) && self.running.count() == 0) {
            let nap = self.judge.nap(now);
            thread::park_timeout(nap);
            let woken = self.clock.now();
            self.judge.slept(now, nap, woken);
            now = woken;
            self.look(now);
        }
    }

    fn look(&mut self, now: Moment) {
        // The count is read first: work that ends meanwhile is at worst seen as running for one nap more.
        let running = self.running.count();
        if self.judge.overdue(now, running, self.lease.valid_until()) {
            abort(&format!(
                "the work of {running} shard(s) has outlived its lease by {:?}",
                self.judge.limit
            ));
        }
    }
}

/// Decides; knows no clock.
#[derive(Debug)]
struct Judge {
    limit: Duration,
    /// The last end of the lease that was seen: a closed lease doesn't tell it any more.
    until: Option<Moment>,
    closed: Option<Moment>,
    due: Option<Moment>,
    /// How much later than planned the thread last woke.
    late: Duration,
    /// The one extension of this lapse's limit, if it was given.
    pardon: Option<Moment>,
}

impl Judge {
    fn new(limit: Duration) -> Self {
        Self { limit, until: None, closed: None, due: None, late: Duration::ZERO, pardon: None }
    }

    fn overdue(&mut self, now: Moment, running: usize, until: Moment) -> bool {
        self.due = if running == 0 { self.rest() } else { self.due(now, until) };
        self.due.is_some_and(|due| now >= due) && !self.pardoned(now)
    }

    fn rest(&mut self) -> Option<Moment> {
        (self.until, self.closed, self.pardon) = (None, None, None);
        None
    }

    /// A sleeper that missed the limit because it was woken far too late was frozen, and so was the work: once for each
    /// lapse it gets the limit anew.
    fn pardoned(&mut self, now: Moment) -> bool {
        let frozen = self.pardon.is_none() && self.late > self.limit / 2;
        if frozen {
            self.pardon = Some(now + self.limit);
            self.due = self.pardon;
        }
        frozen
    }

    fn due(&mut self, now: Moment, until: Moment) -> Option<Moment> {
        if now < until {
            (self.closed, self.pardon) = (None, None);
        }
        let over = if until == Moment::ZERO {
            let closed = *self.closed.get_or_insert(now);
            self.until.map_or(closed, |until| until.min(closed))
        } else {
            self.until = Some(until);
            until
        };
        Some(self.pardon.unwrap_or(over + self.limit))
    }

    fn nap(&self, now: Moment) -> Duration {
        let tick = (self.limit / 4).clamp(TICK_MIN, TICK_MAX);
        self.due.map_or(tick, |due| due.since(now).clamp(TICK_MIN, tick))
    }

    fn slept(&mut self, from: Moment, nap: Duration, woken: Moment) {
        self.late = woken.since(from + nap);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);

    fn at(millis: u64) -> Moment {
        Moment::ZERO + Duration::from_millis(millis)
    }

    #[test]
    fn work_within_its_lease_is_left_alone() {
        assert!(!Judge::new(LIMIT).overdue(at(999), 1, at(1000)));
    }

    #[test]
    fn work_that_outlives_its_lease_by_the_limit_is_overdue() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(1099), 1, at(1000)));
        assert!(judge.overdue(at(1100), 1, at(1000)));
    }

    #[test]
    fn no_work_is_never_overdue() {
        assert!(!Judge::new(LIMIT).overdue(at(9000), 0, at(1000)));
    }

    #[test]
    fn the_limit_counts_from_an_early_closing() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(500), 1, at(1000)));
        assert!(!judge.overdue(at(510), 1, Moment::ZERO));
        assert!(!judge.overdue(at(609), 1, Moment::ZERO));
        assert!(judge.overdue(at(610), 1, Moment::ZERO));
    }

    #[test]
    fn a_closing_seen_late_doesnt_lengthen_the_limit() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(990), 1, at(1000)));
        assert!(!judge.overdue(at(1050), 1, Moment::ZERO));
        assert!(judge.overdue(at(1100), 1, Moment::ZERO));
    }

    #[test]
    fn the_next_life_starts_with_a_clean_slate() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(500), 1, Moment::ZERO));
        assert!(!judge.overdue(at(590), 0, Moment::ZERO));
        assert!(!judge.overdue(at(700), 1, at(2000)));
    }

    #[test]
    fn work_that_was_frozen_with_the_process_gets_the_limit_once_more() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(900), 1, at(1000)));
        judge.slept(at(900), judge.nap(at(900)), at(5000));
        assert!(!judge.overdue(at(5000), 1, at(1000)));
        judge.slept(at(5000), judge.nap(at(5000)), at(5025));
        assert!(!judge.overdue(at(5099), 1, at(1000)));
        assert!(judge.overdue(at(5100), 1, at(1000)));
    }

    #[test]
    fn there_is_one_pardon_for_each_lapse() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(900), 1, at(1000)));
        judge.slept(at(900), judge.nap(at(900)), at(5000));
        assert!(!judge.overdue(at(5000), 1, at(1000)));
        judge.slept(at(5000), judge.nap(at(5000)), at(9000));
        assert!(judge.overdue(at(9000), 1, at(1000)));
    }

    #[test]
    fn a_late_wake_within_the_limit_changes_nothing() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(990), 1, at(1000)));
        judge.slept(at(990), judge.nap(at(990)), at(1090));
        assert!(!judge.overdue(at(1090), 1, at(1000)));
        judge.slept(at(1090), judge.nap(at(1090)), at(1100));
        assert!(judge.overdue(at(1100), 1, at(1000)));
    }

    #[test]
    fn a_nap_ends_when_the_work_is_due() {
        let mut judge = Judge::new(LIMIT);
        assert!(!judge.overdue(at(1090), 1, at(1000)));
        assert_eq!(judge.nap(at(1090)), Duration::from_millis(10));
    }
}
