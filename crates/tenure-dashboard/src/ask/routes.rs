//! The three questions that anybody may ask where looking is allowed.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use axum::routing::get;
use futures_util::stream::{self, Stream};
use tenure::cluster::Whereabouts;
use tenure::{ClusterName, ShardId};
use tenure_core::plan::shard_of;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use super::change_feed::ChangeFeed;
use super::key::key;
use super::{Answer, Source};
use crate::json::{JsonAnswer, StreamEvent};
use crate::view::{Problem, ProblemKind};

/// What all questions share.
#[derive(Clone)]
struct AskState {
    changes: Arc<ChangeFeed>,
    over: CancellationToken,
}

/// The routes `/v1/owner`, `/v1/shards/N` and `/v1/events` about `cluster`, answered from `source` until `over`. Put them behind a
/// [`Gate`](crate::Gate). Must be called within a tokio runtime.
pub fn asking(cluster: ClusterName, source: Arc<dyn Source>, over: CancellationToken) -> Router {
    let changes = ChangeFeed::start(cluster, source, over.clone());
    Router::new()
        .route("/v1/owner", get(owner))
        .route("/v1/shards/{number}", get(shard))
        .route("/v1/events", get(events))
        .with_state(AskState { changes, over })
}

/// `GET /v1/owner?key=…`
async fn owner(
    State(state): State<AskState>,
    RawQuery(query): RawQuery,
) -> Result<JsonAnswer<Answer>, Problem> {
    let key = key(query.as_deref())?;
    state.answer(|shards| shard_of(&key, shards)).await
}

/// `GET /v1/shards/N`
async fn shard(
    State(state): State<AskState>,
    Path(number): Path<String>,
) -> Result<JsonAnswer<Answer>, Problem> {
    let number: u32 = number
        .parse()
        .map_err(|_| Problem::new(ProblemKind::Invalid, "say the number of a shard, such as /v1/shards/3"))?;
    state.answer(|_| ShardId(number)).await
}

/// `GET /v1/events`
async fn events(
    State(state): State<AskState>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let listener = Listener::new(state).await.ok_or_else(unseen)?;
    let events = stream::unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok(Event::default().event(event.name).data(&event.data)), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

impl AskState {
    async fn answer(&self, shard: impl FnOnce(u32) -> ShardId) -> Result<JsonAnswer<Answer>, Problem> {
        let drawn = self.changes.drawn().await.ok_or_else(unseen)?;
        let (shards, seen_ago_ms) = (drawn.survey.shards, drawn.seen_ago_ms);
        let shard = shard(shards);
        let found = Whereabouts::of(&drawn.survey, shard, drawn.drawn_ago_ms);
        let whereabouts = found.ok_or_else(|| {
            let message = format!("there is no shard {shard}: this cluster has {shards}, from 0");
            Problem::new(ProblemKind::NotFound, message)
        })?;
        Ok(JsonAnswer(Answer {
            cluster: self.changes.cluster().to_string(),
            shards,
            whereabouts,
            seen_ago_ms,
        }))
    }
}

fn unseen() -> Problem {
    Problem::new(ProblemKind::Unavailable, "the cluster was not seen yet; try again in a moment")
}

/// Somebody who listens.
struct Listener {
    state: AskState,
    due: VecDeque<Arc<StreamEvent>>,
    events: Receiver<Arc<StreamEvent>>,
}

impl Listener {
    async fn new(state: AskState) -> Option<Self> {
        let (all, events) = state.changes.follow().await?;
        Some(Self { state, due: VecDeque::from([all]), events })
    }

    /// The next event; `None` when the stream is over.
    async fn next(&mut self) -> Option<Arc<StreamEvent>> {
        loop {
            if let Some(event) = self.due.pop_front() {
                return Some(event);
            }
            let over = self.state.over.clone();
            match over.run_until_cancelled(self.events.recv()).await? {
                Ok(event) => return Some(event),
                Err(RecvError::Lagged(_)) => *self = Self::new(self.state.clone()).await?,
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
