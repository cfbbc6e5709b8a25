//! Acting: by whoever has a token, with a reason, and written down.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tenure::clock::Clock;
use tenure::cluster::{Note, SteerError};
use tenure::{Cluster, ErrorKind, MemberId, ShardId};

use crate::audit::{Stage, Stakes};
use crate::desk::Desk;
use crate::guard::Who;
use crate::observer::story;
use crate::view::{Acted, Deed, DeedKind, Problem, ProblemKind};

/// The most characters of a reason.
const WHY_MAX: usize = 500;

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
}

/// `GET /api/v1/me`.
pub(super) async fn me(State(desk): State<Arc<Desk>>, headers: HeaderMap) -> Result<Json<Me>, Problem> {
    desk.house.tokens.check(&headers).map(|who| Json(Me { name: who.0.to_string() }))
}

type Answer = Result<Json<Acted>, Problem>;

/// `POST /api/v1/members/{id}/drain`.
pub(super) async fn drain(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    who: Who,
    Said(said): Said<Plain>,
) -> Answer {
    set_drained(&desk, &id, who, said.why, true).await
}

/// `POST /api/v1/members/{id}/undrain`.
pub(super) async fn undrain(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    who: Who,
    Said(said): Said<Plain>,
) -> Answer {
    set_drained(&desk, &id, who, said.why, false).await
}

async fn set_drained(desk: &Desk, id: &str, who: Who, why: String, drained: bool) -> Answer {
    let member = member(id)?;
    let named = member.to_string();
    let what = if drained { DeedKind::Drain { member: named } } else { DeedKind::Undrain { member: named } };
    let act = async {
        let changed = desk.cluster().await?.drain(&member, drained).await.map_err(refused)?;
        let done = match (drained, changed) {
            (true, true) => format!("{member} hands its shards on"),
            (true, false) => format!("{member} was drained already"),
            (false, true) => format!("{member} gets shards again"),
            (false, false) => format!("{member} was not drained"),
        };
        Ok(Acted { done, changed })
    };
    desk.act(who, what, why, act).await
}

/// `POST /api/v1/members/{id}/fence`.
pub(super) async fn fence(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    who: Who,
    Said(said): Said<Fencing>,
) -> Answer {
    let member = member(&id)?;
    let what = DeedKind::Fence { member: member.to_string(), let_return: said.let_return };
    let act = async {
        desk.cluster().await?.fence(&member, !said.let_return).await.map_err(refused)?;
        Ok(Acted { done: format!("{member} is fenced: it stops at its next renewal"), changed: true })
    };
    desk.act(who, what, said.why, act).await
}

/// `POST /api/v1/members/{id}/note`.
pub(super) async fn note(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    who: Who,
    Said(said): Said<Noting>,
) -> Answer {
    let member = member(&id)?;
    let text = said.text.trim().to_owned();
    if text.chars().count() > Note::CHARACTERS_MAX {
        let message = format!("a note has at most {} characters", Note::CHARACTERS_MAX);
        return Err(Problem::new(ProblemKind::Invalid, message));
    }
    let what = DeedKind::Note { member: member.to_string(), text: text.clone() };
    let note = Note { text, by: who.0.to_string(), at_ms: desk.now_ms() };
    let act = async {
        let changed = desk.cluster().await?.note(&member, &note).await.map_err(refused)?;
        desk.notes_changed.notify_one();
        let done = if note.text.is_empty() { "is struck out" } else { "is written down" };
        Ok(Acted { done: format!("the note about {member} {done}"), changed })
    };
    desk.act(who, what, said.why, act).await
}

/// `POST /api/v1/shards/{number}/move`.
pub(super) async fn relocate(
    State(desk): State<Arc<Desk>>,
    Path(shard): Path<String>,
    who: Who,
    Said(said): Said<Moving>,
) -> Answer {
    let shard: u32 = shard.parse().map_err(|_| Problem::new(ProblemKind::NotFound, "that is no shard"))?;
    let to = member(&said.to)?;
    let what = DeedKind::Move { shard, to: to.to_string() };
    let author = who.0.clone();
    let act = async {
        desk.cluster().await?.promise(ShardId(shard), &to, &author).await.map_err(refused)?;
        Ok(Acted { done: format!("shard {shard} is promised to {to}"), changed: true })
    };
    desk.act(who, what, said.why, act).await
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

fn failed(error: &tenure::Error) -> Problem {
    let kind = match error.kind() {
        ErrorKind::Busy => ProblemKind::Refused,
        _ => ProblemKind::Unavailable,
    };
    Problem::new(kind, story(error))
}

impl Desk {
    /// The cluster, to steer it.
    async fn cluster(&self) -> Result<Cluster, Problem> {
        let found = Cluster::find(Arc::clone(&self.store), &self.cluster).await;
        let absent = || Problem::new(ProblemKind::Refused, "there is no such cluster in the store yet");
        found.map_err(|error| failed(&error))?.ok_or_else(absent)
    }

    /// Does it: written down before, and again when it is over, whatever came of it.
    pub(super) async fn act(
        &self,
        who: Who,
        what: DeedKind,
        why: String,
        act: impl Future<Output = Result<Acted, Problem>>,
    ) -> Answer {
        let deed =
            Deed { at_ms: self.now_ms(), who: who.0.to_string(), what, why: reason(why)?, refused: None };
        self.write_down(Stage::Asked, &deed)?;
        let came = act.await;
        let refused = came.as_ref().err().map(|problem| problem.message.clone());
        let stage = if refused.is_some() { Stage::Refused } else { Stage::Done };
        let deed = Deed { refused, ..deed };
        // It is over: that it could not be written down again changes nothing of it.
        let _ = self.write_down(stage, &deed);
        self.tell(|board, _| board.did(deed));
        came.map(Json)
    }

    fn write_down(&self, stage: Stage, deed: &Deed) -> Result<(), Problem> {
        let stakes = if self.house.playground.is_some() { Stakes::Play } else { Stakes::Real };
        self.house.audit.write(stage, deed, stakes).map_err(|error| {
            tracing::error!(%error, "a deed could not be written down");
            Problem::new(
                ProblemKind::Unavailable,
                format!("{error}; nothing is done that is not written down"),
            )
        })
    }
}

fn reason(why: String) -> Result<String, Problem> {
    let why = why.trim().to_owned();
    match why.chars().count() {
        0 => Err(Problem::new(ProblemKind::Invalid, "say why: that is written down")),
        count if count > WHY_MAX => {
            Err(Problem::new(ProblemKind::Invalid, format!("a reason has at most {WHY_MAX} characters")))
        }
        _ => Ok(why),
    }
}
