//! Moments and the durations of the protocol.
//!
//! A [`Moment`] is a reading of one machine's boot-time clock: it counts suspend, it never goes back, and it means
//! nothing on another machine. [`Timing`] holds every duration of the protocol and states, in one `validate`, the
//! inequalities that make leases safe:
//!
//! ```text
//!  the member      sent_at ├───────────── acts ─────────────┤ valid_until
//!                          │  ttl·(1−ρ) − margin            │← margin →│
//!  an observer             ├── first_seen ≥ sent_at ────────────────────────────────┤ silent
//!                                     ttl·(1+ρ) + slack
//! ```

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

/// A reading of the boot-time clock of one machine, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(u64);

impl Moment {
    /// The earliest moment; no clock ever shows less.
    pub const ZERO: Self = Self(0);

    /// The moment at `nanos` nanoseconds of the boot-time clock.
    #[inline]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds of the boot-time clock.
    #[inline]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// How long after `earlier` this moment is; zero if it is not after it.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Moment {
    type Output = Self;
    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(nanos(span)))
    }
}

impl Sub<Duration> for Moment {
    type Output = Self;
    fn sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(nanos(span)))
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}s", self.0 / 1_000_000_000, self.0 % 1_000_000_000 / 1_000)
    }
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

/// Every duration of the protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// How long a lease lasts after the renewal that was last seen.
    pub ttl: Duration,
    /// How much earlier than its lease's end a member stops.
    pub margin: Duration,
    /// How much longer than the lease an observer waits.
    pub slack: Duration,
    /// The greatest clock-rate error, ρ, that the protocol tolerates.
    pub drift: f64,
    /// Time from one renewal to the next.
    pub renew_every: Duration,
    /// Time from one look at the store to the next, when no hint comes.
    pub poll: Duration,
    /// Every store call is answered within this, if only by "unknown".
    pub call_timeout: Duration,
    /// How long the members must have been the same before shards are moved for balance.
    pub debounce: Duration,
    /// How long the store must be healthy before a lapsed member joins again.
    pub recover_window: Duration,
    /// Pause before a refused or failed step is tried again.
    pub acquire_retry_interval: Duration,
    /// How long work may go on after its shard was promised to another member.
    pub drain_limit: Duration,
    /// How long interrupted work may take to end before the process is aborted.
    pub abort_limit: Duration,
    /// How long a leaving member waits for heirs to take over.
    pub leave_limit: Duration,
    /// Pause per rank between members that would take the same step.
    pub stagger: Duration,
}

/// The least time to live that a lease may have.
pub const TTL_FLOOR: Duration = Duration::from_millis(500);

/// Settings that contradict each other, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{setting} {problem}; {fix}")]
pub struct TimingError {
    /// The setting that is wrong, by the name its user knows.
    pub setting: &'static str,
    /// What is wrong with it.
    pub problem: String,
    /// What to change.
    pub fix: String,
}

impl Timing {
    /// The durations that follow from `ttl` when nothing else is said.
    pub fn for_ttl(ttl: Duration) -> Self {
        Self {
            ttl,
            margin: ttl / 4,
            slack: ttl / 20,
            drift: 0.01,
            renew_every: ttl / 3,
            poll: ttl / 8,
            call_timeout: ttl / 8,
            debounce: Duration::from_secs(1).min(ttl / 4),
            recover_window: ttl / 10,
            acquire_retry_interval: Duration::from_millis(200).min(ttl / 10),
            drain_limit: Duration::from_secs(30),
            abort_limit: ttl / 4 * 3 / 4,
            leave_limit: Duration::from_secs(60),
            stagger: ttl / 50,
        }
    }

    /// How long after sending a renewal that landed the member may act: `ttl·(1−ρ) − margin`.
    pub fn validity(&self, ttl: Duration) -> Duration {
        ttl.mul_f64(1.0 - self.drift).saturating_sub(self.margin)
    }

    /// How long a record must have been seen unchanged before its member is silent: `ttl·(1+ρ) + slack`.
    pub fn silence(&self, ttl: Duration) -> Duration {
        ttl.mul_f64(1.0 + self.drift) + self.slack
    }

    /// Checks every inequality that safety or progress rests on.
    ///
    /// # Errors
    /// Names the first setting that breaks one, and how to mend it.
    pub fn validate(&self) -> Result<(), TimingError> {
        let checks =
            [Self::of_the_lease, Self::of_margins, Self::of_renewals, Self::of_looks, Self::of_the_abort];
        checks.into_iter().try_for_each(|check| check(self))
    }

    fn of_the_lease(&self) -> Result<(), TimingError> {
        if self.ttl < TTL_FLOOR {
            let problem = format!("is {:?}, below the floor", self.ttl);
            return wrong("lease_ttl", problem, format!("use at least {TTL_FLOOR:?}"));
        }
        if !(0.0..=0.1).contains(&self.drift) {
            return wrong(
                "clock_drift",
                format!("is {}", self.drift),
                "use a share between 0 and 0.1".into(),
            );
        }
        Ok(())
    }

    fn of_margins(&self) -> Result<(), TimingError> {
        let fix = format!("use about {:?}", self.ttl / 4);
        if self.margin >= self.ttl {
            let problem = format!("is {:?}, not below lease_ttl {:?}", self.margin, self.ttl);
            return wrong("lease_detach_margin", problem, fix);
        }
        if self.margin.is_zero() || self.slack.is_zero() {
            return wrong("lease_detach_margin", "or slack is zero".into(), fix);
        }
        Ok(())
    }

    /// Two calls may run out of time, and the third renewal still lands.
    fn of_renewals(&self) -> Result<(), TimingError> {
        let (every, timeout, valid) = (self.renew_every, self.call_timeout, self.validity(self.ttl));
        if every + timeout * 2 >= valid {
            let problem = format!(
                "{every:?} plus two store timeouts of {timeout:?} does not fit into the {valid:?} for which a renewal is valid"
            );
            let fix = "lengthen lease_ttl, or shorten the interval, the timeout or the margin".into();
            return wrong("lease_renew_interval", problem, fix);
        }
        Ok(())
    }

    fn of_looks(&self) -> Result<(), TimingError> {
        if self.poll.is_zero() || self.poll > self.ttl / 4 {
            let fix = format!("use more than zero and at most a quarter of lease_ttl, {:?}", self.ttl / 4);
            return wrong("poll_interval", format!("is {:?}", self.poll), fix);
        }
        if self.call_timeout.is_zero() || self.renew_every.is_zero() {
            let fix = format!("use about {:?}", self.ttl / 8);
            return wrong("store_timeout", "or lease_renew_interval is zero".into(), fix);
        }
        Ok(())
    }

    fn of_the_abort(&self) -> Result<(), TimingError> {
        if self.abort_limit >= self.margin {
            let problem =
                format!("is {:?}, not below lease_detach_margin {:?}", self.abort_limit, self.margin);
            let fix = "work must be aborted before anybody else can own the shard: shorten it".into();
            return wrong("abort_limit", problem, fix);
        }
        Ok(())
    }
}

fn wrong(setting: &'static str, problem: String, fix: String) -> Result<(), TimingError> {
    Err(TimingError { setting, problem, fix })
}
