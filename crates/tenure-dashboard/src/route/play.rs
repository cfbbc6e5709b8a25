//! Playing: what can be done to the processes of a playground.

use std::sync::Arc;

use axum::extract::{Path, State};
use serde::Deserialize;
use tenure::MemberId;

use super::act::{Said, member};
use crate::guard::{Operator, Who};
use crate::json::JsonAnswer;
use crate::playground::{Blow, Playground};
use crate::shared::Shared;
use crate::view::{Acted, DeedKind, Problem, ProblemKind};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wish {
    why: String,
}

type Answer = Result<JsonAnswer<Acted>, Problem>;

/// `POST /api/v1/playground/members`: one more.
pub(super) async fn add(
    State(shared): State<Arc<Shared>>,
    Operator(who): Operator,
    Said(wish): Said<Wish>,
) -> Answer {
    play(&shared, who, wish, None, Blow::Start).await
}

/// `POST /api/v1/playground/members/{id}/{deed}`.
pub(super) async fn strike(
    State(shared): State<Arc<Shared>>,
    Path((id, deed)): Path<(String, String)>,
    Operator(who): Operator,
    Said(wish): Said<Wish>,
) -> Answer {
    let known = || Blow::ALL.map(Blow::name).join(", ");
    let unknown = || Problem::new(ProblemKind::NotFound, format!("use one of {}", known()));
    let blow = Blow::parse(&deed).ok_or_else(unknown)?;
    play(&shared, who, wish, Some(member(&id)?), blow).await
}

async fn play(shared: &Arc<Shared>, who: Who, wish: Wish, id: Option<MemberId>, blow: Blow) -> Answer {
    let playground = playground(shared)?;
    let what = DeedKind::Play { member: id.as_ref().map(ToString::to_string), blow };
    let why = if wish.why.trim().is_empty() { "to see what happens".into() } else { wish.why };
    let act = async move |_| {
        let done = playground.play(id.as_ref(), blow).await;
        let done = done.map_err(|reason| Problem::new(ProblemKind::Refused, reason))?;
        Ok(Acted { done, changed: true })
    };
    shared.act(who, what, why, act).await
}

fn playground(shared: &Shared) -> Result<Arc<dyn Playground>, Problem> {
    let message = "this is no playground; `tenure up` is one";
    shared.setup.playground.clone().ok_or_else(|| Problem::new(ProblemKind::Forbidden, message))
}
