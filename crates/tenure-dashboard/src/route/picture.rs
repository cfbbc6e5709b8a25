//! Looking once: the picture, the timeline, the health, and whether there is anything to see.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::Deserialize;

use crate::json::JsonAnswer;
use crate::shared::Shared;
use crate::view::{Health, Picture, SightState, Timeline};

/// `GET /api/v1/picture`.
pub(super) async fn picture(State(shared): State<Arc<Shared>>) -> JsonAnswer<Picture> {
    JsonAnswer(shared.read(|board, at_ms| board.picture(at_ms)))
}

/// From when to when; everything that is remembered, unless said.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Span {
    from_ms: Option<u64>,
    to_ms: Option<u64>,
}

/// `GET /api/v1/timeline`.
pub(super) async fn timeline(
    State(shared): State<Arc<Shared>>,
    Query(span): Query<Span>,
) -> JsonAnswer<Timeline> {
    let (from_ms, to_ms) = (span.from_ms.unwrap_or(0), span.to_ms.unwrap_or(u64::MAX));
    JsonAnswer(shared.read(|board, at_ms| board.timeline(at_ms, from_ms, to_ms)))
}

/// `GET /api/v1/health`.
pub(super) async fn health(
    State(shared): State<Arc<Shared>>,
    Query(span): Query<Span>,
) -> JsonAnswer<Health> {
    let measured = shared.measured();
    JsonAnswer(shared.read(|board, at_ms| board.health(at_ms, span.from_ms.unwrap_or(0), measured)))
}

/// `GET /readyz`: ready is who sees the cluster as it is.
pub(super) async fn ready(State(shared): State<Arc<Shared>>) -> (StatusCode, &'static str) {
    match shared.read(|board, _| board.sight_state()) {
        SightState::Seen => (StatusCode::OK, "ready\n"),
        SightState::Starting => (StatusCode::SERVICE_UNAVAILABLE, "starting\n"),
        SightState::Absent => (StatusCode::SERVICE_UNAVAILABLE, "there is no such cluster in the store\n"),
        SightState::Broken => (StatusCode::SERVICE_UNAVAILABLE, "the dashboard failed; its log says how\n"),
        SightState::Away => (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n"),
    }
}
