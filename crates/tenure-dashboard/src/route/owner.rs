//! Where a key belongs: by the function that members route by.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;

use crate::desk::Desk;
use crate::view::{Located, Problem, ProblemKind};

/// Which key: any text, in UTF-8.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    key: String,
}

/// `GET /api/v1/owner?key=…`: from the last look.
pub(super) async fn owner(
    State(desk): State<Arc<Desk>>,
    Query(asked): Query<Asked>,
) -> Result<Json<Located>, Problem> {
    let located = desk.read(|board, _| board.locate(asked.key.as_bytes()));
    let unseen = || Problem::new(ProblemKind::Unavailable, "the cluster was not seen yet");
    located.map(Json).ok_or_else(unseen)
}
