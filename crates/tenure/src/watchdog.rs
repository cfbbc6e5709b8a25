//! Ends the process when its work outlives its lease.
//!
//! A closed guard stops no work that doesn't ask it. Work that was interrupted and does not end (a loop without an await, a
//! lock that never comes) would go on while the shard gets its next owner. So a plain thread watches two atomics, the end
//! of the lease and the count of running work, and aborts the process while no other member can own the shards yet:
//!
//! ```text
//!   acts ───────────┤ valid_until
//!                   ├─ abort_limit ─┤ abort, if work still runs
//!                   ├──────── margin, slack, drift ────────┤ others may own
//! ```
//!
//! The thread is not on the async runtime: a runtime that is blocked can't stop it. It measures boot time, and sleeps
//! briefly, since a sleep does not count suspend.
//!
//! The limit counts the time during which this process could run. A thread that wakes far later than it meant to was frozen
//! or starved (SIGSTOP, suspend, a machine with no time for it), and so was the work, which could not end meanwhile: such
//! time is not counted, however often it happens. So after the end of a lease, work runs for the abort limit at most. Its
//! guards are closed all the while, as time alone closes them.

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
        let judge = Judge::new(limit);
        let watch =
            Watch { lease, running, clock, dismissed: Arc::clone(&dismissed), judge, abort: Abort::Process };
        let thread = thread::Builder::new().name("tenure-watchdog".into()).spawn(|| watch.keep())?;
        Ok(Self { dismissed, thread: thread.thread().clone() })
    }
}

/// Watches as the thread does, by the simulator's clock.
pub(crate) async fn watch_in_simulation(
    lease: Lease,
    running: Running,
    clock: Clock,
    limit: Duration,
    aborted: Arc<AtomicBool>,
) {
    let (dismissed, abort) = (Arc::default(), Abort::Told(aborted));
    Watch { lease, running, clock, dismissed, judge: Judge::new(limit), abort }.keep_in_simulation().await;
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.dismissed.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// How a process ends whose work does not.
#[derive(Clone, Debug)]
pub(crate) enum Abort {
    /// It is aborted, and nothing of it may act any more.
    Process,
    /// It is simulated: the simulator is told.
    Told(Arc<AtomicBool>),
}

impl Abort {
    /// Says why, then ends the process without unwinding.
    pub(crate) fn now(&self, why: &str) {
        match self {
            Self::Told(aborted) => aborted.store(true, Ordering::Release),
            Self::Process => {
                eprintln!(
                    "tenure: {why}; aborting this process, so that no two members act for one shard (on_stuck = \"abort\")"
                );
                std::process::abort()
            }
        }
    }
}

struct Watch {
    lease: Lease,
    running: Running,
    clock: Clock,
    dismissed: Arc<AtomicBool>,
    judge: Judge,
    abort: Abort,
}

impl Watch {
    /// Ends once it is dismissed and nothing runs.
    fn keep(mut self) {
        let mut from = self.clock.now();
        while !(self.dismissed.load(Ordering::Acquire) && self.running.count() == 0) {
            let planned = self.judge.nap();
            thread::park_timeout(planned);
            let woken = self.clock.now();
            self.look(Nap { from, planned, woken });
            from = woken;
        }
    }

    /// Ends together with the process. Looks half as often as the thread: every look costs a simulation as much as a call.
    async fn keep_in_simulation(mut self) {
        let mut from = self.clock.now();
        loop {
            let left = self.judge.limit.saturating_sub(self.judge.spent);
            let planned = left.clamp(TICK_MIN, self.judge.limit / 4);
            self.clock.sleep(planned).await;
            let woken = self.clock.now();
            self.look(Nap { from, planned, woken });
            from = woken;
        }
    }

    fn look(&mut self, nap: Nap) {
        // The count is read first: work that ends meanwhile is at worst seen as running for one nap more.
        let running = self.running.count();
        if self.judge.overdue(nap, running, self.lease.valid_until()) {
            self.abort.now(&format!(
                "the work of {running} shard(s) has outlived its lease by {:?}",
                self.judge.limit
            ));
        }
    }
}

/// One sleep of the thread.
#[derive(Clone, Copy, Debug)]
struct Nap {
    from: Moment,
    planned: Duration,
    woken: Moment,
}

impl Nap {
    /// How much of it lay behind `over` and was spent awake, if a wake may be late by `grace`.
    fn awake_since(&self, over: Moment, grace: Duration) -> Duration {
        self.woken.min(self.from + self.planned + grace).since(self.from.max(over))
    }
}

/// Decides; knows no clock.
#[derive(Debug)]
struct Judge {
    limit: Duration,
    /// The last end of the lease that was seen: a closed lease doesn't tell it any more.
    until: Option<Moment>,
    closed: Option<Moment>,
    /// For how long the work could have ended since its lease did.
    spent: Duration,
}

impl Judge {
    fn new(limit: Duration) -> Self {
        Self { limit, until: None, closed: None, spent: Duration::ZERO }
    }

    fn overdue(&mut self, nap: Nap, running: usize, until: Moment) -> bool {
        if running == 0 {
            *self = Self::new(self.limit);
            return false;
        }
        if nap.woken < until {
            *self = Self { until: Some(until), ..Self::new(self.limit) };
            return false;
        }
        let over = self.over(nap.woken, until);
        self.spent += nap.awake_since(over, self.limit / 8);
        self.spent >= self.limit
    }

    /// When the lease ended.
    fn over(&mut self, now: Moment, until: Moment) -> Moment {
        if until == Moment::ZERO {
            let closed = *self.closed.get_or_insert(now);
            return self.until.map_or(closed, |until| until.min(closed));
        }
        self.until = Some(until);
        until
    }

    fn nap(&self) -> Duration {
        let tick = (self.limit / 8).clamp(TICK_MIN, TICK_MAX);
        self.limit.saturating_sub(self.spent).clamp(TICK_MIN, tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);
    const END: Moment = Moment::from_nanos(1_000_000_000);

    fn at(millis: u64) -> Moment {
        Moment::ZERO + Duration::from_millis(millis)
    }

    /// A watch over one piece of work, from `from` on.
    struct Night {
        judge: Judge,
        now: Moment,
    }

    impl Night {
        fn from(millis: u64) -> Self {
            Self { judge: Judge::new(LIMIT), now: at(millis) }
        }

        /// Sleeps as planned until `millis`; says when the work was overdue.
        fn until(&mut self, millis: u64, lease: Moment) -> Option<Moment> {
            while self.now < at(millis) {
                let planned = self.judge.nap().min(at(millis).since(self.now));
                if self.wake(planned, self.now + planned, lease) {
                    return Some(self.now);
                }
            }
            None
        }

        /// Stands still until `millis`; says whether the work is overdue.
        fn frozen_until(&mut self, millis: u64, lease: Moment) -> bool {
            self.wake(self.judge.nap(), at(millis), lease)
        }

        fn wake(&mut self, planned: Duration, woken: Moment, lease: Moment) -> bool {
            let nap = Nap { from: self.now, planned, woken };
            self.now = woken;
            self.judge.overdue(nap, 1, lease)
        }
    }

    #[test]
    fn work_within_its_lease_is_left_alone() {
        assert_eq!(Night::from(0).until(999, END), None);
    }

    #[test]
    fn work_that_outlives_its_lease_by_the_limit_is_overdue() {
        assert_eq!(Night::from(903).until(5000, END), Some(at(1100)));
    }

    #[test]
    fn no_work_is_never_overdue() {
        let mut judge = Judge::new(LIMIT);
        for ms in 1000..1500 {
            assert!(!judge.overdue(Nap { from: at(ms), planned: TICK_MIN, woken: at(ms + 2) }, 0, END));
        }
    }

    #[test]
    fn the_limit_counts_from_an_early_closing() {
        let mut night = Night::from(500);
        assert_eq!(night.until(510, END), None);
        let closed = night.until(2000, Moment::ZERO).unwrap();
        // It is seen at the first look, and not before.
        assert_eq!(closed, at(510) + LIMIT / 8 + LIMIT);
    }

    #[test]
    fn a_closing_seen_late_doesnt_lengthen_the_limit() {
        let mut night = Night::from(900);
        assert_eq!(night.until(995, END), None);
        assert_eq!(night.until(2000, Moment::ZERO), Some(at(1100)));
    }

    #[test]
    fn the_next_life_starts_with_a_clean_slate() {
        let mut night = Night::from(500);
        assert_eq!(night.until(590, Moment::ZERO), None);
        assert!(!night.judge.overdue(
            Nap { from: at(590), planned: LIMIT / 8, woken: at(600) },
            0,
            Moment::ZERO
        ));
        assert_eq!(night.until(2995, at(3000)), None);
        assert_eq!(night.until(5000, at(3000)), Some(at(3100)));
    }

    #[test]
    fn a_renewal_gives_the_whole_limit_again() {
        let mut night = Night::from(900);
        assert_eq!(night.until(1090, END), None);
        assert_eq!(night.until(5000, at(2000)), Some(at(2100)));
    }

    #[test]
    fn a_process_frozen_over_the_end_of_its_lease_gives_its_work_the_whole_limit() {
        for thawed in [1001, 1050, 1099, 1100, 5000] {
            let mut night = Night::from(900);
            assert_eq!(night.until(950, END), None);
            assert!(!night.frozen_until(thawed, END));
            assert_eq!(night.until(9000, END), Some(at(thawed) + LIMIT), "thawed at {thawed}");
        }
    }

    #[test]
    fn no_number_of_freezes_takes_time_from_the_work_or_gives_it_more() {
        let mut night = Night::from(900);
        assert_eq!(night.until(1040, END), None);
        let mut ran = Duration::from_millis(40);
        for thawed in [3000, 5000] {
            ran += LIMIT / 4;
            assert!(!night.frozen_until(thawed, END));
        }
        assert_eq!(night.until(9000, END), Some(at(5000) + (LIMIT - ran)));
    }

    #[test]
    fn a_wake_that_is_a_little_late_counts_in_full() {
        let mut night = Night::from(1000);
        for woken in [1024, 1048, 1072, 1096] {
            assert!(!night.frozen_until(woken, END));
        }
        assert!(night.frozen_until(1100, END));
    }
}
