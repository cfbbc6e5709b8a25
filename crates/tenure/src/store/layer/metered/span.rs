//! One call's span: `store.call`, at debug. Without a listener it is one comparison.

use tenure_core::ids::MemberId;
use tracing::Span;
use tracing::field::Empty;

use super::figures::Outcome;
use crate::store::Operation;

/// A call's span, until it is told how the call ended.
#[derive(Debug)]
pub(super) struct CallSpan(Span);

impl CallSpan {
    pub(super) fn new(member: Option<&MemberId>, operation: Operation, key: &str) -> Self {
        let span = tracing::debug_span!(
            "store.call",
            member = member.map(display),
            operation = operation.name(),
            key,
            outcome = Empty,
            // The name by which OpenTelemetry knows spans that went wrong.
            otel.status_code = Empty,
        );
        Self(span)
    }

    /// The span, for what happens inside the call.
    pub(super) fn inside(&self) -> Span {
        self.0.clone()
    }

    pub(super) fn end(&self, outcome: Outcome) {
        self.0.record("outcome", outcome.name());
        if !outcome.is_answer() {
            self.0.record("otel.status_code", "ERROR");
        }
    }
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
