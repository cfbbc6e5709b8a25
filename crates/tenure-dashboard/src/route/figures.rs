//! `GET /metrics`: the cluster's figures, and those of the member in this process if there is one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::desk::Desk;
use crate::metrics::{self, Page};

/// `GET /metrics`.
pub(super) async fn metrics(State(desk): State<Arc<Desk>>) -> impl IntoResponse {
    let mut page = Page::of(&desk.cluster);
    desk.read(|board, at_ms| board.figures(at_ms)).add(&mut page);
    page.add_own(&desk.store.snapshot(), desk.viewers());
    if let Some(member) = &desk.house.member {
        metrics::add_member(&mut page, &member.metrics());
    }
    ([(header::CONTENT_TYPE, metrics::TYPE)], page.text())
}
