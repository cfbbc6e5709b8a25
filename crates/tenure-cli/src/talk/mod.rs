//! What the program says: data goes to standard output, talk to standard error, traces to a collector if one is named.

#[cfg(feature = "otel")]
mod collector;
mod log;
#[cfg(feature = "otel")]
mod messenger;
mod options;
mod seemly;
#[cfg(feature = "otel")]
mod traces;
#[cfg(not(feature = "otel"))]
#[path = "no_traces.rs"]
mod traces;
mod voice;

pub(crate) use options::Options;
pub(crate) use traces::traceparent;
pub(crate) use voice::{data, error, say};
