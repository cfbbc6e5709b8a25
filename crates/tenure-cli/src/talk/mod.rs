//! What the program says: data goes to standard output, talk to standard error, traces to a collector if one is named.

#[cfg(feature = "otel")]
mod collector;
mod log;
mod options;
mod output;
#[cfg(feature = "otel")]
mod trace_client;
#[cfg(feature = "otel")]
mod traces;

pub(crate) use options::Options;
#[cfg(not(feature = "otel"))]
pub(crate) use options::traceparent;
pub(crate) use output::{data, error, say};
#[cfg(feature = "otel")]
pub(crate) use traces::traceparent;
