//! A member's figures, by its own word.

use tenure::ClusterName;
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
    page.calls(of(metric::STORE_CALLS), &figures.store_calls);
}

fn of(name: &str) -> Metric {
    *metric::MEMBER.iter().find(|metric| metric.name == name).expect("every figure is in the catalogue")
}
