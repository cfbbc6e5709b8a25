//! What each figure is called, what it means and in which unit: the one place from which pages, documentation and tests take it.

use super::{
    ACQUIRE_RETRY_ATTEMPTS, ACQUIRE_RETRY_WINDOW_EXHAUSTED, DETACHED, HANDOFF_DURATION,
    JOURNAL_APPEND_DURATION, JOURNAL_BYTES, JOURNAL_CALLS, JOURNAL_ENTRIES, JOURNAL_FENCED, JOURNAL_RECORDS,
    JOURNALS_OPEN, KEEPALIVE_FAILURE_STREAK, KEEPALIVE_FAILURES, LAPSES, LEASE_DEADLINE_LAG,
    LEASE_LEFT_AT_RENEWAL, OVERRULED, RESTARTS, STORE_CALLS, TENURES,
};

/// What kind of figure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Goes up and down.
    Gauge,
    /// Only grows, until the process ends.
    Counter,
    /// Counts in classes.
    Histogram,
}

/// One figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name, with dots.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Whether it is a time, in seconds.
    pub seconds: bool,
    /// The labels that its values have.
    pub labels: &'static [&'static str],
    /// What it tells.
    pub help: &'static str,
}

impl Metric {
    /// A gauge without labels.
    pub const fn gauge(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Kind::Gauge, seconds: false, labels: &[], help }
    }

    /// A counter without labels.
    pub const fn counter(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Kind::Counter, seconds: false, labels: &[], help }
    }

    /// A histogram of times.
    pub const fn times(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Kind::Histogram, seconds: true, labels: &[], help }
    }

    /// The same, in seconds.
    #[must_use]
    pub const fn in_seconds(mut self) -> Self {
        self.seconds = true;
        self
    }

    /// The same, with labels.
    #[must_use]
    pub const fn by(mut self, labels: &'static [&'static str]) -> Self {
        self.labels = labels;
        self
    }

    /// The name without prefix, unit and ending, as Prometheus spells it.
    pub fn stem(&self) -> String {
        self.name.replace('.', "_")
    }

    /// The names under which Prometheus knows its values: a histogram has three.
    pub fn series(&self) -> Vec<String> {
        let name = format!("tenure_{}{}", self.stem(), if self.seconds { "_seconds" } else { "" });
        match self.kind {
            Kind::Gauge => vec![name],
            Kind::Counter => vec![format!("{name}_total")],
            Kind::Histogram => ["bucket", "sum", "count"].map(|part| format!("{name}_{part}")).into(),
        }
    }
}

/// The figures of a member.
pub const MEMBER: [Metric; 20] = [
    Metric::gauge(DETACHED, "1 if this member has no lease, and so acts for no shard"),
    Metric::gauge(TENURES, "Shards that this member acts for"),
    Metric::counter(KEEPALIVE_FAILURES, "Renewals of the lease that did not succeed"),
    Metric::gauge(KEEPALIVE_FAILURE_STREAK, "Renewals that failed in a row"),
    Metric::gauge(LEASE_DEADLINE_LAG, "How long the lease is still good for; 0 without one").in_seconds(),
    Metric::gauge(LEASE_LEFT_AT_RENEWAL, "What was left of the lease when it was last renewed").in_seconds(),
    Metric::counter(
        ACQUIRE_RETRY_ATTEMPTS,
        "Steps that were lost to another member or unknown, and tried again",
    ),
    Metric::counter(ACQUIRE_RETRY_WINDOW_EXHAUSTED, "Times that steps stayed refused for the whole window"),
    Metric::counter(LAPSES, "Leases that ended before their member left"),
    Metric::counter(OVERRULED, "Shards that the ledger took away unasked; their work was ended"),
    Metric::counter(RESTARTS, "Work that failed and was started again"),
    Metric::times(
        HANDOFF_DURATION,
        "From a shard being promised to another member to the end of its work here",
    ),
    Metric::counter(STORE_CALLS, "Calls to the store").by(&["operation", "outcome"]),
    Metric::gauge(JOURNALS_OPEN, "Journals that are open for shards of this member"),
    Metric::counter(JOURNAL_ENTRIES, "Entries that were stored in journals"),
    Metric::counter(JOURNAL_RECORDS, "Records in the entries that were stored"),
    Metric::counter(JOURNAL_BYTES, "Bytes of the bodies of these records"),
    Metric::counter(JOURNAL_FENCED, "Calls to journals that were refused because another owner had come"),
    Metric::times(JOURNAL_APPEND_DURATION, "From an entry being sent to its being stored"),
    Metric::counter(JOURNAL_CALLS, "Openings, appends and snapshots of journals")
        .by(&["operation", "outcome"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_prometheus_wants_them() {
        let series = |name: &str| MEMBER.iter().find(|metric| metric.name == name).unwrap().series();
        assert_eq!(series(DETACHED), ["tenure_sharding_detached"]);
        assert_eq!(series(KEEPALIVE_FAILURES), ["tenure_sharding_lease_keepalive_failures_total"]);
        assert_eq!(series(LEASE_DEADLINE_LAG), ["tenure_sharding_lease_deadline_lag_seconds"]);
        assert_eq!(series(HANDOFF_DURATION)[2], "tenure_sharding_handoff_duration_seconds_count");
    }

    #[test]
    fn no_name_is_used_twice() {
        let names: std::collections::BTreeSet<&str> = MEMBER.iter().map(|metric| metric.name).collect();
        assert_eq!(names.len(), MEMBER.len());
    }
}
