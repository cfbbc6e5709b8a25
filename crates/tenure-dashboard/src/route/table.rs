//! All routes, and what guards them.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use super::{act, look, play, stream};
use crate::shared::Shared;
use crate::view::{Problem, ProblemKind};

/// The longest body that is read.
const BODY_MAX: usize = 64 * 1024;

/// All routes.
pub(crate) fn routes(shared: Arc<Shared>, asking: Router) -> Router {
    let gate = Arc::clone(&shared.setup.gate);
    let routes = Router::new()
        .route("/", get(look::index))
        .route("/assets/{*path}", get(look::asset))
        .route("/livez", get(|| async { "alive\n" }))
        .route("/readyz", get(look::ready))
        .route("/api/v1/picture", get(look::picture))
        .route("/api/v1/timeline", get(look::timeline))
        .route("/api/v1/health", get(look::health))
        .route("/api/v1/stream", get(stream::stream))
        .route("/api/v1/plan", post(look::plan))
        .route("/api/v1/me", get(act::me))
        .route("/api/v1/members/{id}/drain", post(act::drain))
        .route("/api/v1/members/{id}/undrain", post(act::undrain))
        .route("/api/v1/members/{id}/fence", post(act::fence))
        .route("/api/v1/members/{id}/note", post(act::note))
        .route("/api/v1/shards/{number}/move", post(act::relocate))
        .route("/api/v1/shards/{number}/cancel", post(act::cancel))
        .route("/api/v1/playground/members", post(play::add))
        .route("/api/v1/playground/members/{id}/{deed}", post(play::strike))
        .route("/metrics", get(look::metrics))
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(shared)
        .merge(asking);
    gate.guard(routes)
}

async fn nothing() -> Problem {
    Problem::new(ProblemKind::NotFound, "there is nothing here; the page is at /")
}
