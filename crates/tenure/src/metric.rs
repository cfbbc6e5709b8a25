//! The figures of one member: few, each the answer to an operator's question.
//!
//! Names are constants with unit and labels; values are plain atomics that the driver writes and anybody reads.

mod catalogue;

pub use catalogue::{Kind, MEMBER, Metric};

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::journal::layer as journal_layer;
use crate::store::layer::metered;

/// Gauge, 0 or 1: does this member have no lease, and so act for no shard?
pub const DETACHED: &str = "sharding.detached";
/// Counter: renewals of the lease that did not succeed.
pub const KEEPALIVE_FAILURES: &str = "sharding.lease_keepalive_failures";
/// Gauge: renewals that failed in a row.
pub const KEEPALIVE_FAILURE_STREAK: &str = "sharding.lease_keepalive_failure_streak";
/// Gauge, seconds: how long the lease is still good for.
pub const LEASE_DEADLINE_LAG: &str = "sharding.lease_deadline_lag";
/// Gauge, seconds: how much of the lease was left when it was last renewed.
pub const LEASE_LEFT_AT_RENEWAL: &str = "sharding.lease_left_at_renewal";
/// Counter: steps that were lost to another member or whose outcome was unknown, and were tried again.
pub const ACQUIRE_RETRY_ATTEMPTS: &str = "sharding.acquire_retry_attempts";
/// Counter: times that steps stayed refused for the whole `acquire_retry_window`.
pub const ACQUIRE_RETRY_WINDOW_EXHAUSTED: &str = "sharding.acquire_retry_window_exhausted";
/// Gauge: shards that this member acts for.
pub const TENURES: &str = "sharding.tenures";
/// Counter: leases that ended before their member left.
pub const LAPSES: &str = "sharding.lapses";
/// Counter: shards that the ledger took away unasked, because the store forgot or somebody forged; their work was ended.
pub const OVERRULED: &str = "sharding.overruled";
/// Counter: work that failed and was started again.
pub const RESTARTS: &str = "sharding.work_restarts";
/// Histogram, seconds: from a shard being promised to another member to the end of its work here.
pub const HANDOFF_DURATION: &str = "sharding.handoff_duration";
/// Counter, by `operation` and `outcome`: calls to the store.
pub const STORE_CALLS: &str = "sharding.store_calls";
/// Gauge: journals that are open for shards of this member.
pub const JOURNALS_OPEN: &str = "journal.open";
/// Counter: entries that were stored in them.
pub const JOURNAL_ENTRIES: &str = "journal.entries";
/// Counter: records in these entries; divided by them, the size of a batch.
pub const JOURNAL_RECORDS: &str = "journal.records";
/// Counter: bytes of these records' bodies.
pub const JOURNAL_BYTES: &str = "journal.bytes";
/// Counter: calls that were refused because another owner had come.
pub const JOURNAL_FENCED: &str = "journal.fenced";
/// Histogram, seconds: from an entry being sent to its being stored, or to the end of waiting.
pub const JOURNAL_APPEND_DURATION: &str = "journal.append_duration";
/// Counter, by `operation` and `outcome`: openings, appends and snapshots.
pub const JOURNAL_CALLS: &str = "journal.calls";

/// The upper ends of the classes of handoff durations, in seconds; whatever is longer falls into one more class.
pub const HANDOFF_CLASSES_S: [f64; 8] = [0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];

/// What the driver writes.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    attached: AtomicUsize,
    tenures: AtomicUsize,
    keepalive_failures: AtomicU64,
    keepalive_failure_streak: AtomicU64,
    lease_left_ns: AtomicU64,
    retries: AtomicU64,
    retry_windows_exhausted: AtomicU64,
    lapses: AtomicU64,
    overruled: AtomicU64,
    restarts: AtomicU64,
    handoffs: [AtomicU64; HANDOFF_CLASSES_S.len() + 1],
    handoffs_total_ns: AtomicU64,
    journals: journal_layer::Metered,
}

impl Metrics {
    /// Counts what is asked of the journals of all shards.
    pub(crate) fn journals(&self) -> &journal_layer::Metered {
        &self.journals
    }

    pub(crate) fn attached(&self, attached: bool) {
        self.attached.store(usize::from(attached), Ordering::Relaxed);
    }

    pub(crate) fn lapsed(&self) {
        self.attached(false);
        self.lapses.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn overruled(&self) {
        self.overruled.fetch_add(1, Ordering::Relaxed);
    }

    /// The member has no driver any more: it has no lease, and acts for nothing.
    pub(crate) fn broken(&self) {
        self.lapsed();
        self.tenures(0);
    }

    pub(crate) fn tenures(&self, count: usize) {
        self.tenures.store(count, Ordering::Relaxed);
    }

    /// The streak before this renewal.
    pub(crate) fn renewed(&self, left: Duration) -> u64 {
        self.lease_left_ns.store(nanos(left), Ordering::Relaxed);
        self.keepalive_failure_streak.swap(0, Ordering::Relaxed)
    }

    pub(crate) fn renewal_failed(&self, streak: u32) {
        self.keepalive_failures.fetch_add(1, Ordering::Relaxed);
        self.keepalive_failure_streak.store(u64::from(streak), Ordering::Relaxed);
    }

    pub(crate) fn retry(&self) {
        self.retries.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn retry_window_exhausted(&self) {
        self.retry_windows_exhausted.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn restarted(&self) {
        self.restarts.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn handed_off(&self, took: Duration) {
        let class = HANDOFF_CLASSES_S.iter().position(|end_s| took.as_secs_f64() < *end_s);
        self.handoffs[class.unwrap_or(HANDOFF_CLASSES_S.len())].fetch_add(1, Ordering::Relaxed);
        self.handoffs_total_ns.fetch_add(nanos(took), Ordering::Relaxed);
    }

    /// All figures now; the lease is good for `lag`.
    pub(crate) fn figures(&self, lag: Duration, store_calls: metered::Figures) -> Figures {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Figures {
            detached: self.attached.load(Ordering::Relaxed) == 0,
            tenures: self.tenures.load(Ordering::Relaxed),
            lease_keepalive_failures: read(&self.keepalive_failures),
            lease_keepalive_failure_streak: read(&self.keepalive_failure_streak),
            lease_deadline_lag: lag,
            lease_left_at_renewal: Duration::from_nanos(read(&self.lease_left_ns)),
            acquire_retry_attempts: read(&self.retries),
            acquire_retry_window_exhausted: read(&self.retry_windows_exhausted),
            lapses: read(&self.lapses),
            overruled: read(&self.overruled),
            work_restarts: read(&self.restarts),
            handoffs: self.handoffs.iter().map(read).collect(),
            handoffs_total: Duration::from_nanos(read(&self.handoffs_total_ns)),
            store_calls,
            journals: self.journals.figures(),
        }
    }
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

/// All figures of a member at one time. Each field is the value of the constant of this module with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// [`DETACHED`].
    pub detached: bool,
    /// [`TENURES`].
    pub tenures: usize,
    /// [`KEEPALIVE_FAILURES`].
    pub lease_keepalive_failures: u64,
    /// [`KEEPALIVE_FAILURE_STREAK`].
    pub lease_keepalive_failure_streak: u64,
    /// [`LEASE_DEADLINE_LAG`]; zero without a lease.
    pub lease_deadline_lag: Duration,
    /// [`LEASE_LEFT_AT_RENEWAL`].
    pub lease_left_at_renewal: Duration,
    /// [`ACQUIRE_RETRY_ATTEMPTS`].
    pub acquire_retry_attempts: u64,
    /// [`ACQUIRE_RETRY_WINDOW_EXHAUSTED`].
    pub acquire_retry_window_exhausted: u64,
    /// [`LAPSES`].
    pub lapses: u64,
    /// [`OVERRULED`].
    pub overruled: u64,
    /// [`RESTARTS`].
    pub work_restarts: u64,
    /// [`HANDOFF_DURATION`]: how many were shorter than each of [`HANDOFF_CLASSES_S`], not counted in the class before;
    /// then all others.
    pub handoffs: Vec<u64>,
    /// [`HANDOFF_DURATION`]: all of them together.
    pub handoffs_total: Duration,
    /// [`STORE_CALLS`], by operation and outcome.
    pub store_calls: metered::Figures,
    /// [`JOURNALS_OPEN`], [`JOURNAL_ENTRIES`] and what follows these.
    pub journals: journal_layer::metered::Figures,
}
