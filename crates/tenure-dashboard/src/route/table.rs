//! All routes, and what guards them.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use axum::{Json, Router};

use super::{page, picture, stream};
use crate::desk::Desk;
use crate::guard;
use crate::view::{Problem, ProblemKind};

/// The longest body that is read.
const BODY_MAX: usize = 64 * 1024;

/// All routes.
pub(crate) fn routes(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/assets/{*path}", get(page::asset))
        .route("/livez", get(|| async { "alive\n" }))
        .route("/readyz", get(picture::ready))
        .route("/api/v1/picture", get(picture::picture))
        .route("/api/v1/timeline", get(picture::timeline))
        .route("/api/v1/health", get(picture::health))
        .route("/api/v1/stream", get(stream::stream))
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(from_fn(guard::own_origin))
        .layer(from_fn_with_state(Arc::clone(&desk), guard::known_host))
        .layer(from_fn(guard::secure))
        .with_state(desk)
}

async fn nothing() -> (axum::http::StatusCode, Json<Problem>) {
    let problem = Problem::new(ProblemKind::NotFound, "there is nothing here; the page is at /");
    (axum::http::StatusCode::NOT_FOUND, Json(problem))
}
