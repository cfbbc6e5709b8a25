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

use super::crier::Crier;
use super::key::key;
use super::{Answer, Source};
use crate::board::Frame;
use crate::told::Told;
use crate::view::{Problem, ProblemKind};

/// What all questions share.
#[derive(Clone)]
struct Desk {
    crier: Arc<Crier>,
    over: CancellationToken,
}

/// The routes `/v1/owner`, `/v1/shards/N` and `/v1/events` about `cluster`, answered from `source` until `over`. Put them behind a
/// [`Gate`](crate::Gate). Must be called within a tokio runtime.
pub fn asking(cluster: ClusterName, source: Arc<dyn Source>, over: CancellationToken) -> Router {
    let crier = Crier::start(cluster, source, over.clone());
    Router::new()
        .route("/v1/owner", get(owner))
        .route("/v1/shards/{number}", get(shard))
        .route("/v1/events", get(events))
        .with_state(Desk { crier, over })
}

/// `GET /v1/owner?key=…`
async fn owner(State(desk): State<Desk>, RawQuery(query): RawQuery) -> Result<Told<Answer>, Problem> {
    let key = key(query.as_deref())?;
    desk.answer(|shards| shard_of(&key, shards)).await
}

/// `GET /v1/shards/N`
async fn shard(State(desk): State<Desk>, Path(number): Path<String>) -> Result<Told<Answer>, Problem> {
    let number: u32 = number
        .parse()
        .map_err(|_| Problem::new(ProblemKind::Invalid, "say the number of a shard, such as /v1/shards/3"))?;
    desk.answer(|_| ShardId(number)).await
}

/// `GET /v1/events`
async fn events(
    State(desk): State<Desk>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let listener = Listener::new(desk).await.ok_or_else(unseen)?;
    let events = stream::unfold(listener, |mut listener| async move {
        let frame = listener.next().await?;
        Some((Ok(Event::default().event(frame.name).data(&frame.data)), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

impl Desk {
    async fn answer(&self, shard: impl FnOnce(u32) -> ShardId) -> Result<Told<Answer>, Problem> {
        let drawn = self.crier.drawn().await.ok_or_else(unseen)?;
        let (shards, seen_ago_ms) = (drawn.survey.shards, drawn.seen_ago_ms);
        let shard = shard(shards);
        let found = Whereabouts::of(&drawn.survey, shard, drawn.drawn_ago_ms);
        let whereabouts = found.ok_or_else(|| {
            let message = format!("there is no shard {shard}: this cluster has {shards}, from 0");
            Problem::new(ProblemKind::NotFound, message)
        })?;
        Ok(Told(Answer { cluster: self.crier.cluster().to_string(), shards, whereabouts, seen_ago_ms }))
    }
}

fn unseen() -> Problem {
    Problem::new(ProblemKind::Unavailable, "the cluster was not seen yet; try again in a moment")
}

/// Somebody who listens.
struct Listener {
    desk: Desk,
    due: VecDeque<Arc<Frame>>,
    events: Receiver<Arc<Frame>>,
}

impl Listener {
    async fn new(desk: Desk) -> Option<Self> {
        let (all, events) = desk.crier.follow().await?;
        Some(Self { desk, due: VecDeque::from([all]), events })
    }

    /// The next event; `None` when whoever tells is over.
    async fn next(&mut self) -> Option<Arc<Frame>> {
        loop {
            if let Some(frame) = self.due.pop_front() {
                return Some(frame);
            }
            let over = self.desk.over.clone();
            match over.run_until_cancelled(self.events.recv()).await? {
                Ok(frame) => return Some(frame),
                Err(RecvError::Lagged(_)) => *self = Self::new(self.desk.clone()).await?,
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
