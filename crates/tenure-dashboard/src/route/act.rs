//! Acting: with a token and a reason, and written down.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tenure::clock::Clock;
use tenure::cluster::{Note, SteerError};
use tenure::{ErrorKind, MemberId, ShardId};

use crate::guard::{Admin, Operator, Viewer, Who};
use crate::json::JsonAnswer;
use crate::observer::story;
use crate::shared::Shared;
use crate::view::{Acted, DeedKind, Problem, ProblemKind};

/// So long a body may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A body of JSON; what is wrong with it is told as every problem is.
pub(super) struct Said<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Said<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Clock::boot().timeout(PATIENCE, Json::<T>::from_request(request, state)).await {
            Ok(Ok(Json(said))) => Ok(Self(said)),
            Ok(Err(rejection)) => Err(nonsense(&rejection)),
            Err(_) => Err(Problem::new(ProblemKind::Invalid, "the body did not come in time")),
        }
    }
}

fn nonsense(rejection: &JsonRejection) -> Problem {
    let kind = match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ProblemKind::TooLong,
        _ => ProblemKind::Invalid,
    };
    Problem::new(kind, rejection.body_text())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plain {
    why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fencing {
    why: String,
    #[serde(default)]
    let_return: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Noting {
    why: String,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Moving {
    why: String,
    to: String,
}

/// Whose token it is.
#[derive(Debug, Serialize)]
pub(super) struct Me {
    name: String,
    role: &'static str,
}

/// `GET /api/v1/me`.
pub(super) async fn me(Viewer(who): Viewer) -> JsonAnswer<Me> {
    JsonAnswer(Me { name: who.name.to_string(), role: who.role.name() })
}

type Answer = Result<JsonAnswer<Acted>, Problem>;

/// `POST /api/v1/members/{id}/drain`.
pub(super) async fn drain(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Operator(who): Operator,
    Said(said): Said<Plain>,
) -> Answer {
    set_drained(&shared, &id, who, said.why, true).await
}

/// `POST /api/v1/members/{id}/undrain`.
pub(super) async fn undrain(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Operator(who): Operator,
    Said(said): Said<Plain>,
) -> Answer {
    set_drained(&shared, &id, who, said.why, false).await
}

async fn set_drained(shared: &Arc<Shared>, id: &str, who: Who, why: String, drained: bool) -> Answer {
    let member = member(id)?;
    let named = member.to_string();
    let what = if drained { DeedKind::Drain { member: named } } else { DeedKind::Undrain { member: named } };
    let act = async move |shared: Arc<Shared>| {
        let changed = shared.cluster().await?.drain(&member, drained).await.map_err(refused)?;
        let done = match (drained, changed) {
            (true, true) => format!("{member} hands its shards on"),
            (true, false) => format!("{member} was drained already"),
            (false, true) => format!("{member} gets shards again"),
            (false, false) => format!("{member} was not drained"),
        };
        Ok(Acted { done, changed })
    };
    shared.act(who, what, why, act).await
}

/// `POST /api/v1/members/{id}/fence`.
pub(super) async fn fence(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Admin(who): Admin,
    Said(said): Said<Fencing>,
) -> Answer {
    let member = member(&id)?;
    let what = DeedKind::Fence { member: member.to_string(), let_return: said.let_return };
    let act = async move |shared: Arc<Shared>| {
        shared.cluster().await?.fence(&member, !said.let_return).await.map_err(refused)?;
        Ok(Acted { done: format!("{member} is fenced: it stops at its next renewal"), changed: true })
    };
    shared.act(who, what, said.why, act).await
}

/// `POST /api/v1/members/{id}/note`.
pub(super) async fn note(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Operator(who): Operator,
    Said(said): Said<Noting>,
) -> Answer {
    let member = member(&id)?;
    let text = said.text.trim().to_owned();
    if text.chars().count() > Note::CHARACTERS_MAX {
        let message = format!("a note has at most {} characters", Note::CHARACTERS_MAX);
        return Err(Problem::new(ProblemKind::Invalid, message));
    }
    let what = DeedKind::Note { member: member.to_string(), text: text.clone() };
    let note = Note { text, by: who.name.to_string(), at_ms: shared.now_ms() };
    let act = async move |shared: Arc<Shared>| {
        let changed = shared.cluster().await?.note(&member, &note).await.map_err(refused)?;
        shared.notes_changed.notify_one();
        let done = if note.text.is_empty() { "is struck out" } else { "is written down" };
        Ok(Acted { done: format!("the note about {member} {done}"), changed })
    };
    shared.act(who, what, said.why, act).await
}

/// `POST /api/v1/shards/{number}/move`.
pub(super) async fn relocate(
    State(shared): State<Arc<Shared>>,
    Path(shard): Path<String>,
    Operator(who): Operator,
    Said(said): Said<Moving>,
) -> Answer {
    let shard = number(&shard)?;
    let to = member(&said.to)?;
    let what = DeedKind::Move { shard, to: to.to_string() };
    let author = who.name.clone();
    let act = async move |shared: Arc<Shared>| {
        let changed = shared.cluster().await?.promise(ShardId(shard), &to, &author).await.map_err(refused)?;
        let verb = if changed { "is promised to" } else { "is there already:" };
        Ok(Acted { done: format!("shard {shard} {verb} {to}"), changed })
    };
    shared.act(who, what, said.why, act).await
}

/// `POST /api/v1/shards/{number}/cancel`.
pub(super) async fn cancel(
    State(shared): State<Arc<Shared>>,
    Path(shard): Path<String>,
    Operator(who): Operator,
    Said(said): Said<Plain>,
) -> Answer {
    let shard = number(&shard)?;
    let act = async move |shared: Arc<Shared>| {
        let changed = shared.cluster().await?.call_off(&[ShardId(shard)]).await.map_err(refused)?;
        let done = match changed {
            true => format!("the next owner of shard {shard} is asked to give it back"),
            false => format!("shard {shard} is not on the move, or was called back already"),
        };
        Ok(Acted { done, changed })
    };
    shared.act(who, DeedKind::Cancel { shard }, said.why, act).await
}

fn number(text: &str) -> Result<u32, Problem> {
    text.parse().map_err(|_| Problem::new(ProblemKind::NotFound, "that is no shard"))
}

pub(super) fn member(id: &str) -> Result<MemberId, Problem> {
    id.parse().map_err(|error| Problem::new(ProblemKind::Invalid, format!("{error}")))
}

fn refused(error: SteerError) -> Problem {
    match error {
        SteerError::Refused(refusal) => Problem::new(ProblemKind::Refused, refusal.to_string()),
        SteerError::Failed(error) => failed(&error),
    }
}

pub(super) fn failed(error: &tenure::Error) -> Problem {
    let kind = match error.kind() {
        ErrorKind::Busy => ProblemKind::Refused,
        _ => ProblemKind::Unavailable,
    };
    Problem::new(kind, story(error))
}
