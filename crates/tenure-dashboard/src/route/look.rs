//! Looking once: the page, the picture, the timeline, the health, the figures, what would move, and whether there is anything to see.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tenure::cluster::{Outcome, WhatIf};

use super::act::Said;
use crate::assets;
use crate::json::JsonAnswer;
use crate::metrics::{self, Page};
use crate::shared::Shared;
use crate::view::{Health, Picture, Problem, ProblemKind, SightState, Timeline};

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

/// `GET /metrics`.
pub(super) async fn metrics(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    let mut page = Page::of(&shared.cluster);
    shared.read(|board, at_ms| board.figures(at_ms)).add(&mut page);
    page.add_own(&shared.store.snapshot(), shared.viewers());
    if let Some(member) = &shared.setup.member {
        metrics::add_member(&mut page, &member.metrics());
    }
    ([(header::CONTENT_TYPE, metrics::TYPE)], page.text())
}

/// `POST /api/v1/plan`: from the last look, by the members' own function.
pub(super) async fn plan(
    State(shared): State<Arc<Shared>>,
    Said(question): Said<WhatIf>,
) -> Result<JsonAnswer<Outcome>, Problem> {
    let seen = shared.read(|board, _| board.last_seen().cloned());
    let nothing = || Problem::new(ProblemKind::Unavailable, "the cluster was not seen yet");
    let seen = seen.ok_or_else(nothing)?;
    // A million shards take a while: others are answered meanwhile.
    let planned = tokio::task::spawn_blocking(move || question.outcome(&seen.meta, &seen.survey)).await;
    let planned =
        planned.map_err(|_| Problem::new(ProblemKind::Unavailable, "the plan could not be made"))?;
    planned.map(JsonAnswer).map_err(|doubt| Problem::new(ProblemKind::Refused, doubt.to_string()))
}

pub(super) async fn index() -> Response {
    assets::asset("index.html")
}

pub(super) async fn asset(Path(path): Path<String>) -> Response {
    assets::asset(&path)
}
