//! A member's figures, by its own word.

use tenure::ClusterName;
use tenure::journal::layer::Operation;
use tenure::journal::layer::metered::{self, Latency};
use tenure::metric::{self, Figures, Metric};

use super::Page;

/// The figures of a member of `cluster`, as a page that Prometheus reads.
pub fn member_page(cluster: &ClusterName, figures: &Figures) -> String {
    let mut page = Page::of(cluster);
    add(&mut page, figures);
    page.text()
}

/// Adds a member's figures to a page.
pub(crate) fn add(page: &mut Page, figures: &Figures) {
    let gauges = [
        (metric::DETACHED, f64::from(u8::from(figures.detached))),
        (metric::TENURES, figures.tenures as f64),
        (metric::KEEPALIVE_FAILURE_STREAK, figures.lease_keepalive_failure_streak as f64),
        (metric::LEASE_DEADLINE_LAG, figures.lease_deadline_lag.as_secs_f64()),
        (metric::LEASE_LEFT_AT_RENEWAL, figures.lease_left_at_renewal.as_secs_f64()),
    ];
    let counters = [
        (metric::KEEPALIVE_FAILURES, figures.lease_keepalive_failures),
        (metric::ACQUIRE_RETRY_ATTEMPTS, figures.acquire_retry_attempts),
        (metric::ACQUIRE_RETRY_WINDOW_EXHAUSTED, figures.acquire_retry_window_exhausted),
        (metric::LAPSES, figures.lapses),
        (metric::OVERRULED, figures.overruled),
        (metric::RESTARTS, figures.work_restarts),
    ];
    gauges.into_iter().for_each(|(name, value)| page.gauge(of(name), value));
    counters.into_iter().for_each(|(name, value)| page.counter(of(name), value));
    let sum = figures.handoffs_total.as_secs_f64();
    page.histogram(of(metric::HANDOFF_DURATION), sum, &metric::HANDOFF_CLASSES_S, &figures.handoffs);
    page.store_calls(of(metric::STORE_CALLS), &figures.store_calls);
    add_journals(page, &figures.journals);
}

fn add_journals(page: &mut Page, figures: &metered::Figures) {
    page.gauge(of(metric::JOURNALS_OPEN), figures.open as f64);
    let counters = [
        (metric::JOURNAL_ENTRIES, figures.entries),
        (metric::JOURNAL_RECORDS, figures.records),
        (metric::JOURNAL_BYTES, figures.bytes),
        (metric::JOURNAL_FENCED, figures.fenced),
    ];
    counters.into_iter().for_each(|(name, value)| page.counter(of(name), value));
    let Latency { classes, total, .. } = &figures.of(Operation::Append).latency;
    let ends: Vec<f64> = (0..).map_while(Latency::upper_end).map(|end| end.as_secs_f64()).collect();
    page.histogram(of(metric::JOURNAL_APPEND_DURATION), total.as_secs_f64(), &ends, classes);
    // What a member does for its shards; the rest is asked by whoever asks it.
    let asked = [Operation::Open, Operation::Append, Operation::Shorten];
    page.calls(of(metric::JOURNAL_CALLS), asked.map(|operation| (operation.name(), figures.of(operation))));
}

fn of(name: &str) -> Metric {
    *metric::MEMBER.iter().find(|metric| metric.name == name).expect("every figure is in the catalogue")
}
