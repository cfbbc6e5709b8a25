//! A page of figures in the text format of OpenMetrics, which Prometheus reads.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};
use tenure::ClusterName;
use tenure::metric::{Kind, Metric};
use tenure::store::Operation;
use tenure::store::layer::metered::{self, CallFigures, Outcome};

/// The content type of a page of metrics.
pub const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The values of one metric.
#[derive(Clone, Debug)]
enum Values {
    Gauges(Vec<(Vec<(&'static str, String)>, f64)>),
    Counters(Vec<(Vec<(&'static str, String)>, u64)>),
    Histogram { sum: f64, buckets: Vec<(f64, u64)> },
}

/// The label that every value has: one Prometheus sees many clusters.
pub(crate) const CLUSTER_LABEL: &str = "cluster";

/// A page of figures, in the making.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    cluster: ClusterName,
    figures: Vec<(Metric, Values)>,
}

impl Page {
    /// An empty page about a cluster, or one of its members.
    pub(crate) fn of(cluster: &ClusterName) -> Self {
        Self { cluster: cluster.clone(), figures: Vec::new() }
    }

    /// A gauge.
    pub(crate) fn gauge(&mut self, metric: Metric, value: f64) {
        self.figures.push((metric, Values::Gauges(vec![(vec![], value)])));
    }

    /// A gauge with one label.
    pub(crate) fn gauges(&mut self, metric: Metric, values: impl IntoIterator<Item = (String, f64)>) {
        let label = metric.labels[0];
        let values = values.into_iter().map(|(name, value)| (vec![(label, name)], value));
        self.figures.push((metric, Values::Gauges(values.collect())));
    }

    /// A counter.
    pub(crate) fn counter(&mut self, metric: Metric, value: u64) {
        self.figures.push((metric, Values::Counters(vec![(vec![], value)])));
    }

    /// Calls to a store, by operation and outcome.
    pub(crate) fn store_calls(&mut self, metric: Metric, calls: &metered::Figures) {
        let of = |operation: &Operation| (operation.name(), calls.of(*operation));
        self.calls(metric, Operation::ALL.iter().map(of));
    }

    /// Calls, by operation and outcome.
    pub(crate) fn calls<'a>(
        &mut self,
        metric: Metric,
        calls: impl IntoIterator<Item = (&'static str, &'a CallFigures)>,
    ) {
        let mut values = Vec::new();
        for (operation, calls) in calls {
            for outcome in Outcome::ALL {
                let labels =
                    vec![("operation", operation.to_owned()), ("outcome", outcome.name().to_owned())];
                values.push((labels, calls.ended(outcome)));
            }
        }
        self.figures.push((metric, Values::Counters(values)));
    }

    /// A histogram: for each class the upper end and how many fell into it alone; the last class has none.
    pub(crate) fn histogram(&mut self, metric: Metric, sum: f64, ends: &[f64], counts: &[u64]) {
        let ends = ends.iter().copied().chain([f64::MAX]);
        let buckets = ends.zip(counts.iter().copied()).collect();
        self.figures.push((metric, Values::Histogram { sum, buckets }));
    }

    /// The page as text.
    pub(crate) fn text(self) -> String {
        let label = (CLUSTER_LABEL.into(), self.cluster.to_string().into());
        let mut registry = Registry::with_prefix_and_labels("tenure", std::iter::once(label));
        registry.register_collector(Box::new(Finished(Arc::new(self))));
        let mut text = String::new();
        encode(&mut text, &registry).expect("a string takes everything");
        text
    }
}

#[derive(Debug)]
struct Finished(Arc<Page>);

impl Collector for Finished {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        self.0.figures.iter().try_for_each(|(metric, values)| write(&mut encoder, metric, values))
    }
}

fn write(encoder: &mut DescriptorEncoder<'_>, metric: &Metric, values: &Values) -> fmt::Result {
    let kind = match metric.kind {
        Kind::Gauge => MetricType::Gauge,
        Kind::Counter => MetricType::Counter,
        Kind::Histogram => MetricType::Histogram,
    };
    let unit = metric.seconds.then_some(&Unit::Seconds);
    let stem = metric.stem();
    let mut encoder = encoder.encode_descriptor(&stem, metric.help, unit, kind)?;
    match values {
        Values::Gauges(values) => values.iter().try_for_each(|(labels, value)| match labels.is_empty() {
            true => encoder.encode_gauge(value),
            false => encoder.encode_family(labels)?.encode_gauge(value),
        }),
        Values::Counters(values) => values.iter().try_for_each(|(labels, value)| match labels.is_empty() {
            true => encoder.encode_counter::<NoLabelSet, _, u64>(value, None),
            false => encoder.encode_family(labels)?.encode_counter::<NoLabelSet, _, u64>(value, None),
        }),
        Values::Histogram { sum, buckets } => {
            let count = buckets.iter().map(|(_, count)| count).sum();
            encoder.encode_histogram::<NoLabelSet>(*sum, count, buckets, None)
        }
    }
}
