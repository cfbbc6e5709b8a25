//! `GET /metrics`: the cluster's figures, and those of the member in this process if there is one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::metrics::{self, Page};
use crate::shared::Shared;

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
