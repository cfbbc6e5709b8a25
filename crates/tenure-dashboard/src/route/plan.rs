//! What would move if members came, went or weighed otherwise.

use std::sync::Arc;

use axum::extract::State;
use tenure::cluster::{Outcome, WhatIf};

use super::act::Said;
use crate::json::JsonAnswer;
use crate::shared::Shared;
use crate::view::{Problem, ProblemKind};

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
