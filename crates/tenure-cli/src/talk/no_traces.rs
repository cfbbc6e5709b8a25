//! A build without the feature `otel`: there are no traces.

/// The name of the present span for others: there is none.
pub(crate) fn traceparent() -> Option<String> {
    None
}
