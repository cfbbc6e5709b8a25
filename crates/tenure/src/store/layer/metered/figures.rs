//! The figures: counters that are only added to, and their picture at one time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::store::{Operation, StoreErrorKind};

/// How a call ended, as far as its cost is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was answered.
    Answered,
    /// A write whose precondition did not hold.
    Conflict,
    /// It did not happen.
    Unavailable,
    /// It may have happened.
    Indeterminate,
    /// The store refused the caller.
    Denied,
    /// The store could make no sense of it.
    Invalid,
    /// The store can't be used.
    Incompatible,
    /// Its caller gave up before there was an answer.
    Dropped,
}

impl Outcome {
    /// All of them, in order.
    pub const ALL: [Self; 8] = [
        Self::Answered,
        Self::Conflict,
        Self::Unavailable,
        Self::Indeterminate,
        Self::Denied,
        Self::Invalid,
        Self::Incompatible,
        Self::Dropped,
    ];

    /// Its name in spans and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Conflict => "conflict",
            Self::Unavailable => "unavailable",
            Self::Indeterminate => "indeterminate",
            Self::Denied => "denied",
            Self::Invalid => "invalid",
            Self::Incompatible => "incompatible",
            Self::Dropped => "dropped",
        }
    }

    /// Whether the call did what calls are for: a lost race is an answer.
    pub(super) const fn is_answer(self) -> bool {
        matches!(self, Self::Answered | Self::Conflict)
    }
}

impl From<StoreErrorKind> for Outcome {
    fn from(kind: StoreErrorKind) -> Self {
        match kind {
            StoreErrorKind::Unavailable => Self::Unavailable,
            StoreErrorKind::Indeterminate => Self::Indeterminate,
            StoreErrorKind::Denied => Self::Denied,
            StoreErrorKind::Invalid => Self::Invalid,
            StoreErrorKind::Incompatible => Self::Incompatible,
        }
    }
}

/// How many classes of latency there are: below 128 µs, below 256 µs, … below 67 s, and the rest.
const CLASSES: usize = 21;
const FIRST_CLASS_US: u64 = 128;

#[derive(Debug, Default)]
pub(super) struct Counters([CallCounters; 4]);

/// Counts the calls of one operation.
#[derive(Debug, Default)]
pub(crate) struct CallCounters {
    outcomes: [AtomicU64; 8],
    latency: [AtomicU64; CLASSES],
    total_ns: AtomicU64,
    max_ns: AtomicU64,
}

impl Counters {
    pub(super) fn add(&self, operation: Operation, outcome: Outcome, took: Duration) {
        self.0[operation as usize].add(outcome, took);
    }

    pub(super) fn snapshot(&self) -> Figures {
        let [get, put, delete, list] = &self.0;
        Figures { get: get.figures(), put: put.figures(), delete: delete.figures(), list: list.figures() }
    }
}

impl CallCounters {
    pub(crate) fn add(&self, outcome: Outcome, took: Duration) {
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.outcomes[outcome as usize].fetch_add(1, Ordering::Relaxed);
        self.latency[class_of(took)].fetch_add(1, Ordering::Relaxed);
        self.total_ns.fetch_add(nanos, Ordering::Relaxed);
        self.max_ns.fetch_max(nanos, Ordering::Relaxed);
    }

    pub(crate) fn figures(&self) -> CallFigures {
        let count = |outcome: &Outcome| self.outcomes[*outcome as usize].load(Ordering::Relaxed);
        CallFigures {
            outcomes: Outcome::ALL.iter().map(|outcome| (*outcome, count(outcome))).collect(),
            latency: Latency {
                classes: self.latency.iter().map(|class| class.load(Ordering::Relaxed)).collect(),
                total: Duration::from_nanos(self.total_ns.load(Ordering::Relaxed)),
                max: Duration::from_nanos(self.max_ns.load(Ordering::Relaxed)),
            },
        }
    }
}

/// The class of a latency: how often 128 µs must be doubled to be more than it.
fn class_of(took: Duration) -> usize {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    let doublings = u64::BITS - (micros / FIRST_CLASS_US).leading_zeros();
    (doublings as usize).min(CLASSES - 1)
}

/// All figures of a metered store at one time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// Linearizable reads.
    pub get: CallFigures,
    /// Conditional writes.
    pub put: CallFigures,
    /// Conditional removals.
    pub delete: CallFigures,
    /// Listings.
    pub list: CallFigures,
}

impl Figures {
    /// The figures of one operation.
    pub fn of(&self, operation: Operation) -> &CallFigures {
        match operation {
            Operation::Get => &self.get,
            Operation::Put => &self.put,
            Operation::Delete => &self.delete,
            Operation::List => &self.list,
        }
    }
}

/// The figures of one operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CallFigures {
    /// How many calls ended in each way.
    pub outcomes: Vec<(Outcome, u64)>,
    /// How long they took, whatever their outcome.
    pub latency: Latency,
}

impl CallFigures {
    /// How many calls ended so.
    pub fn ended(&self, outcome: Outcome) -> u64 {
        self.outcomes.iter().filter(|(ended, _)| *ended == outcome).map(|(_, count)| count).sum()
    }

    /// How many calls there were.
    pub fn calls(&self) -> u64 {
        self.outcomes.iter().map(|(_, count)| count).sum()
    }
}

/// How long calls took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Latency {
    /// How many calls took less than 128 µs, less than 256 µs, and so on; the last counts all others.
    pub classes: Vec<u64>,
    /// All of them together.
    pub total: Duration,
    /// The longest.
    pub max: Duration,
}

impl Latency {
    /// The upper end of a class of latencies; `None` for the last, which has none.
    pub fn upper_end(class: usize) -> Option<Duration> {
        (class + 1 < CLASSES).then(|| Duration::from_micros(FIRST_CLASS_US << class))
    }

    /// A time within which the given share of calls ended; `None` if there were none.
    pub fn within(&self, share: f64) -> Option<Duration> {
        let calls: u64 = self.classes.iter().sum();
        let wanted = (calls as f64 * share).ceil() as u64;
        let mut seen = 0;
        let class = self.classes.iter().position(|count| {
            seen += count;
            seen > 0 && seen >= wanted
        })?;
        Some(Self::upper_end(class).unwrap_or(self.max).min(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_latency_is_below_the_upper_end_of_its_class_and_not_below_the_one_before() {
        for micros in [0, 1, 127, 128, 255, 256, 1_000, 65_000, 10_000_000, 67_108_863] {
            let took = Duration::from_micros(micros);
            let class = class_of(took);
            assert!(took < Latency::upper_end(class).unwrap(), "{took:?} in class {class}");
            assert!(class == 0 || took >= Latency::upper_end(class - 1).unwrap(), "{took:?}");
        }
    }

    #[test]
    fn the_last_class_takes_whatever_is_longer() {
        assert_eq!(class_of(Duration::from_secs(1 << 40)), CLASSES - 1);
        assert_eq!(Latency::upper_end(CLASSES - 1), None);
    }

    #[test]
    fn a_share_of_calls_is_within_the_class_that_completes_it() {
        let counters = Counters::default();
        for _ in 0..99 {
            counters.add(Operation::Get, Outcome::Answered, Duration::from_micros(100));
        }
        counters.add(Operation::Get, Outcome::Answered, Duration::from_millis(100));
        let latency = counters.snapshot().get.latency;
        assert_eq!(latency.within(0.99), Some(Duration::from_micros(128)));
        assert_eq!(latency.within(1.0), Some(Duration::from_millis(100)));
    }

    #[test]
    fn without_calls_there_is_no_latency_to_speak_of() {
        assert_eq!(Counters::default().snapshot().put.latency.within(0.5), None);
    }
}
