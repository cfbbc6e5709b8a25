//! What time it is, and waiting for a time.
//!
//! The rule: a deadline is a [`Moment`] of boot time, and no timer is believed. A tokio timer stands still while the machine
//! sleeps, so every wake is checked against boot time, and no nap is longer than [`NAP_MAX`]: after a suspend a sleeper is
//! late by at most that.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use rustix::time::{ClockId, clock_gettime};
use tenure_core::moment::Moment;

use super::Reading;
use super::manual::{ManualTime, Sleeper};

/// The clock that goes on while the machine sleeps.
#[cfg(not(target_vendor = "apple"))]
const BOOT: ClockId = ClockId::Boottime;
/// The clock whose rate nobody corrects.
#[cfg(not(target_vendor = "apple"))]
const RAW: ClockId = ClockId::MonotonicRaw;

/// Apple's monotonic clock goes on while the machine sleeps. There is no other to compare it with but the wall clock.
#[cfg(target_vendor = "apple")]
const BOOT: ClockId = ClockId::Monotonic;
#[cfg(target_vendor = "apple")]
const RAW: ClockId = ClockId::Monotonic;

/// The longest time between two looks at boot time of somebody who waits.
const NAP_MAX: Duration = Duration::from_secs(1);

/// How often a reading is taken anew when the process was interrupted in the midst of it.
const READING_TRIES: usize = 4;

/// A reading that took no longer than this is sharp enough.
const READING_SHARP: Duration = Duration::from_micros(20);

/// A clock that counts suspend. Cheap to clone; all clones show the same time.
#[derive(Clone, Debug, Default)]
pub struct Clock(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    Boot,
    #[cfg_attr(
        not(any(test, feature = "testing")),
        expect(dead_code, reason = "only tests and simulations move time")
    )]
    Manual(Arc<ManualTime>),
}

/// The time was over before the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not done within {0:?}")]
pub struct Elapsed(pub Duration);

impl Clock {
    /// The boot-time clock of this machine.
    pub const fn boot() -> Self {
        Self(Source::Boot)
    }

    /// A clock for tests, which stands still until its other half moves it.
    #[cfg(any(test, feature = "testing"))]
    pub fn manual(start: Moment) -> (Self, ManualClock) {
        let manual = Arc::new(ManualTime::new(start));
        (Self(Source::Manual(Arc::clone(&manual))), ManualClock(manual))
    }

    /// The present moment.
    #[inline]
    pub fn now(&self) -> Moment {
        match &self.0 {
            Source::Boot => Moment::from_nanos(read(BOOT)),
            Source::Manual(manual) => manual.shown(),
        }
    }

    /// What the wall clock shows, in milliseconds since 1970: for people, never for a decision. A manual clock shows its own
    /// time.
    pub fn wall_ms(&self) -> u64 {
        match &self.0 {
            Source::Boot => read(ClockId::Realtime) / 1_000_000,
            Source::Manual(manual) => manual.shown().as_nanos() / 1_000_000,
        }
    }

    /// Completes once it is `deadline` or later. Cancel-safe.
    pub async fn sleep_until(&self, deadline: Moment) {
        match &self.0 {
            Source::Boot => nap_until(deadline).await,
            Source::Manual(manual) => Sleeper::new(manual, deadline).await,
        }
    }

    /// Completes after `span`. Cancel-safe.
    pub async fn sleep(&self, span: Duration) {
        self.sleep_until(self.now() + span).await;
    }

    /// Does `work`, but not for longer than `limit`.
    ///
    /// # Errors
    /// [`Elapsed`] if the work was not done by then; it is dropped.
    pub async fn timeout<T>(&self, limit: Duration, work: impl Future<Output = T>) -> Result<T, Elapsed> {
        let alarm = pin!(self.sleep(limit));
        // Work that is done wins over time that is up: its answer is there, and its caller asks the clock itself.
        match select(pin!(work), alarm).await {
            Either::Left((done, _)) => Ok(done),
            Either::Right(((), _)) => Err(Elapsed(limit)),
        }
    }

    /// All clocks of the machine at one instant, for a [`super::ClockWatch`]. A manual clock is never wrong.
    pub(crate) fn reading(&self) -> Reading {
        match &self.0 {
            Source::Boot => sharp_reading(),
            Source::Manual(manual) => Reading::unanimous(manual.shown()),
        }
    }
}

/// Moves the time of a manual [`Clock`].
#[cfg(any(test, feature = "testing"))]
#[derive(Debug)]
pub struct ManualClock(Arc<ManualTime>);

#[cfg(any(test, feature = "testing"))]
impl ManualClock {
    /// Lets `span` pass, and wakes those who waited for a moment within it.
    pub fn advance(&self, span: Duration) {
        self.0.advance(span);
    }

    /// The earliest moment that somebody waits for: until then nothing happens by time alone.
    pub fn next(&self) -> Option<Moment> {
        self.0.next()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that may: boot time is checked after every wake"
)]
async fn nap_until(deadline: Moment) {
    loop {
        let left = deadline.since(Moment::from_nanos(read(BOOT)));
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(NAP_MAX)).await;
    }
}

/// A process that is stopped between two of these reads would see its clocks disagree: the reading says how long it took,
/// and a blurred one is taken again.
fn sharp_reading() -> Reading {
    let mut best = one_reading();
    for _ in 1..READING_TRIES {
        if best.blur <= READING_SHARP {
            break;
        }
        let next = one_reading();
        if next.blur < best.blur {
            best = next;
        }
    }
    best
}

fn one_reading() -> Reading {
    let began = read(RAW);
    let monotonic = read(ClockId::Monotonic);
    let boot = read(BOOT);
    let wall = read(ClockId::Realtime);
    let ended = read(RAW);
    Reading {
        boot: Duration::from_nanos(boot),
        wall: Duration::from_nanos(wall),
        monotonic: Duration::from_nanos(monotonic),
        raw: Duration::from_nanos(began),
        blur: Duration::from_nanos(ended.saturating_sub(began)),
    }
}

/// Nanoseconds of one of the kernel's clocks; a wall clock before 1970 shows zero.
#[inline]
fn read(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(u64::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boot_time_goes_on_and_never_back() {
        let clock = Clock::boot();
        let first = clock.now();
        assert!(first > Moment::ZERO);
        assert!(clock.now() >= first);
    }

    #[tokio::test]
    async fn a_sleeper_never_wakes_before_its_moment() {
        let clock = Clock::boot();
        let deadline = clock.now() + Duration::from_millis(5);
        clock.sleep_until(deadline).await;
        assert!(clock.now() >= deadline);
    }

    #[tokio::test]
    async fn a_moment_that_passed_is_not_waited_for() {
        let clock = Clock::boot();
        clock.sleep_until(Moment::ZERO).await;
    }

    #[tokio::test]
    async fn a_manual_clock_wakes_sleepers_when_it_is_moved() {
        let (clock, hand) = Clock::manual(Moment::from_nanos(7));
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move { clock.sleep(Duration::from_secs(3600)).await }
        });
        while hand.next().is_none() {
            tokio::task::yield_now().await;
        }
        assert_eq!(hand.next(), Some(Moment::from_nanos(7) + Duration::from_secs(3600)));
        assert!(!sleeper.is_finished());
        hand.advance(Duration::from_secs(3600));
        sleeper.await.unwrap();
        assert_eq!(clock.now(), Moment::from_nanos(7) + Duration::from_secs(3600));
        assert_eq!(hand.next(), None, "nobody waits any more");
    }

    #[tokio::test]
    async fn work_that_never_ends_is_timed_out() {
        let clock = Clock::boot();
        let limit = Duration::from_millis(1);
        assert_eq!(clock.timeout(limit, std::future::pending::<()>()).await, Err(Elapsed(limit)));
    }

    #[tokio::test]
    async fn work_that_is_done_wins_over_time_that_is_up() {
        assert_eq!(Clock::boot().timeout(Duration::ZERO, async { 7 }).await, Ok(7));
    }

    #[test]
    fn the_clocks_of_this_machine_agree_with_themselves() {
        let reading = Clock::boot().reading();
        assert!(reading.boot >= reading.monotonic, "boot time counts suspend too");
    }
}
