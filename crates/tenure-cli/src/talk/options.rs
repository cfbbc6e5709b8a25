//! What can be said about what the program says of itself.

use super::log;
use crate::exit::Failure;

/// What is logged, and where traces go.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// What is logged to standard error, such as `info` or `tenure=debug`
    #[arg(
        long,
        global = true,
        value_name = "FILTER",
        env = "TENURE_LOG",
        default_value = "warn",
        hide_env_values = true
    )]
    log: String,
    /// The OpenTelemetry collector that traces go to, such as `http://127.0.0.1:4318` [default: what
    /// OTEL_EXPORTER_OTLP_ENDPOINT says; else there are none]
    #[cfg(feature = "otel")]
    #[arg(long, global = true, value_name = "URL", env = "TENURE_TRACES", hide_env_values = true)]
    traces: Option<String>,
}

/// Talk that is under way; when this is dropped, traces that are not sent yet are, within a second.
#[derive(Debug)]
pub(crate) struct Talk {
    #[cfg(feature = "otel")]
    _traces: Option<super::traces::Traces>,
}

#[cfg(feature = "otel")]
impl Options {
    /// Begins to log, and to trace if a collector is named.
    pub(crate) fn begin(&self) -> Result<Talk, Failure> {
        use super::collector::Collector;
        use super::traces::Traces;
        let said_elsewhere = |name: &str| std::env::var(name).ok();
        let collector = Collector::find(self.traces.as_deref(), said_elsewhere)?;
        let traces = collector.map(Traces::to).transpose()?;
        log::begin(&self.log, traces.as_ref().map(Traces::listener))?;
        Ok(Talk { _traces: traces })
    }
}

#[cfg(not(feature = "otel"))]
impl Options {
    /// Begins to log.
    pub(crate) fn begin(&self) -> Result<Talk, Failure> {
        log::begin(&self.log, None)?;
        Ok(Talk {})
    }
}

/// The name of the present span for others: a build without traces has none.
#[cfg(not(feature = "otel"))]
pub(crate) fn traceparent() -> Option<String> {
    None
}
