//! A member's figures in the text format of Prometheus.

use std::fmt::Write;
use std::time::Duration;

use tenure::metric::{self, Figures};

/// All figures, each with its kind.
pub(super) fn text(figures: &Figures) -> String {
    let mut page = Page::default();
    page.gauge(metric::DETACHED, u64::from(figures.detached));
    page.gauge(metric::TENURES, figures.tenures);
    page.gauge(metric::KEEPALIVE_FAILURE_STREAK, figures.lease_keepalive_failure_streak);
    page.gauge(metric::LEASE_DEADLINE_LAG, seconds(figures.lease_deadline_lag));
    page.gauge(metric::LEASE_LEFT_AT_RENEWAL, seconds(figures.lease_left_at_renewal));
    page.counter(metric::KEEPALIVE_FAILURES, figures.lease_keepalive_failures);
    page.counter(metric::ACQUIRE_RETRY_ATTEMPTS, figures.acquire_retry_attempts);
    page.counter(metric::ACQUIRE_RETRY_WINDOW_EXHAUSTED, figures.acquire_retry_window_exhausted);
    page.counter(metric::LAPSES, figures.lapses);
    page.counter(metric::RESTARTS, figures.work_restarts);
    page.handoffs(figures);
    page.0
}

#[derive(Default)]
struct Page(String);

impl Page {
    fn gauge(&mut self, name: &str, value: impl std::fmt::Display) {
        self.kind(name, "gauge");
        self.line(&plain(name), "", value);
    }

    fn counter(&mut self, name: &str, value: u64) {
        let name = format!("{name}_total");
        self.kind(&name, "counter");
        self.line(&plain(&name), "", value);
    }

    /// Classes are cumulative here: each counts all that were shorter than its end.
    fn handoffs(&mut self, figures: &Figures) {
        self.kind(metric::HANDOFF_DURATION, "histogram");
        let name = plain(metric::HANDOFF_DURATION);
        let ends = metric::HANDOFF_CLASSES_S.iter().map(f64::to_string).chain(["+Inf".into()]);
        let mut count = 0;
        for (end, more) in ends.zip(&figures.handoffs) {
            count += more;
            self.line(&format!("{name}_bucket"), &format!("{{le=\"{end}\"}}"), count);
        }
        self.line(&format!("{name}_sum"), "", seconds(figures.handoffs_total));
        self.line(&format!("{name}_count"), "", count);
    }

    fn kind(&mut self, name: &str, kind: &str) {
        let _ = writeln!(self.0, "# TYPE {} {kind}", plain(name));
    }

    fn line(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }
}

/// Prometheus knows no dots in names.
fn plain(name: &str) -> String {
    format!("tenure_{}", name.replace('.', "_"))
}

fn seconds(span: Duration) -> f64 {
    span.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenure::{Member, store::Memory};

    #[tokio::test]
    async fn every_figure_has_a_kind_and_classes_add_up() {
        let member = Member::builder(Memory::new()).cluster("c").shards(1).start().await.unwrap();
        let page = text(&member.metrics());
        assert!(page.contains("# TYPE tenure_sharding_detached gauge\ntenure_sharding_detached "), "{page}");
        assert!(page.contains("tenure_sharding_handoff_duration_bucket{le=\"+Inf\"} 0\n"), "{page}");
        assert!(page.lines().all(|line| line.starts_with("# TYPE ") || line.split(' ').count() == 2));
    }
}
