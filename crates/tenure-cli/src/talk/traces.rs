//! Traces for OpenTelemetry: our own spans, in batches, from a thread of its own.
//!
//! Spans only, and only ours: what is logged stays on standard error, and what the exporter itself does would have to be
//! exported in turn. A span that ends goes into a queue that never blocks; when that is full, spans are lost.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Level, Metadata, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, filter_fn};

use super::collector::Collector;
use super::log::Listener;
use super::trace_client::TraceClient;
use crate::exit::{Exit, Failure};

/// So long the end of the program waits for the collector, and no longer.
const FAREWELL: Duration = Duration::from_secs(1);

/// Traces that are being sent; what is left of them is when this is dropped.
#[derive(Debug)]
pub(super) struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send to `collector`.
    pub(super) fn to(collector: Collector) -> Result<Self, Failure> {
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter(&collector)?);
        Ok(Self(provider.with_resource(resource()).build()))
    }

    /// Who takes the spans.
    pub(super) fn listener(&self) -> Listener {
        let layer = tracing_opentelemetry::layer().with_tracer(self.0.tracer("tenure"));
        // Where in the code and how often it was polled is for developers; operators would pay for it.
        let layer = layer.with_location(false).with_threads(false).with_tracked_inactivity(false);
        let ours = filter_fn(is_ours).with_max_level_hint(LevelFilter::DEBUG);
        layer.with_context_activation(false).with_filter(ours).boxed()
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        // A collector that does not answer was told of already.
        let _ = self.0.shutdown_with_timeout(FAREWELL);
    }
}

/// All our crates begin so.
fn is_ours(about: &Metadata<'_>) -> bool {
    about.is_span() && *about.level() <= Level::DEBUG && about.target().starts_with("tenure")
}

fn exporter(collector: &Collector) -> Result<SpanExporter, Failure> {
    let builder = SpanExporter::builder().with_http().with_http_client(TraceClient::to(collector)?);
    let builder = builder.with_endpoint(collector.url.as_str()).with_protocol(Protocol::HttpBinary);
    builder.build().map_err(|error| {
        let message =
            format!("can't send traces to {}; check --traces or OTEL_EXPORTER_OTLP_*", collector.place());
        Failure::new(Exit::Usage, message).because(error)
    })
}

/// Who we are, unless the usual variables say otherwise.
fn resource() -> Resource {
    let said = Resource::builder().build();
    let unsaid =
        said.get(&"service.name".into()).is_none_or(|name| name.as_str().starts_with("unknown_service"));
    let builder =
        Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    if unsaid { builder.with_service_name("tenure") } else { builder }.build()
}

/// The present span's name for others, as the W3C writes it; `None` if it is not traced.
pub(crate) fn traceparent() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let about = span.span_context();
    let name = || format!("00-{}-{}-{:02x}", about.trace_id(), about.span_id(), about.trace_flags());
    about.is_valid().then(name)
}
