//! One connection, from its first byte to its last: what it asks is answered within the server's limits.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Notify;

use super::Peer;
use super::budget::{Budget, RequestKind};
use super::held::Held;
use super::slots::{SlotId, Slots};
use super::turns::Turns;
use crate::view::{Problem, ProblemKind};

/// What all connections of a server share.
#[derive(Debug)]
pub(super) struct ServerState {
    pub(super) slots: Mutex<Slots>,
    /// Somebody has asked for nothing more: there may be way to make.
    pub(super) silence: Notify,
    pub(super) budget: Budget,
    pub(super) turns: Turns,
}

impl ServerState {
    pub(super) fn with<T>(&self, change: impl FnOnce(&mut Slots) -> T) -> T {
        change(&mut self.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A question that is being answered.
#[derive(Debug)]
struct Question {
    shared: Arc<ServerState>,
    slot: SlotId,
}

impl Drop for Question {
    fn drop(&mut self) {
        self.shared.with(|slots| slots.answer(self.slot));
        self.shared.silence.notify_one();
    }
}

/// Who has come, and where the answers are.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) shared: Arc<ServerState>,
    pub(super) slot: SlotId,
    pub(super) peer: Peer,
    pub(super) router: Router,
}

impl Connection {
    /// Answers one question.
    pub(super) async fn answer(self, mut request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        self.shared.with(|slots| slots.ask(self.slot));
        let question = Question { shared: Arc::clone(&self.shared), slot: self.slot };
        let kind = RequestKind::to(request.uri().path());
        let Some(share) = self.shared.budget.share(kind) else {
            return Ok(too_many("too many are being answered"));
        };
        request.extensions_mut().insert(self.peer);
        let answering = TowerToHyperService::new(self.router).call(request);
        let answer = match kind {
            RequestKind::Probe => answering.await?,
            RequestKind::Figures | RequestKind::Other => self.shared.turns.take(answering).await?,
        };
        let stream = if is_stream(&answer) { Some(self.shared.budget.stream()) } else { None };
        match stream {
            Some(None) => Ok(too_many("too many look on already")),
            Some(Some(stream)) => {
                Ok(answer.map(|body| Body::new(Held::new(body, (question, share, stream)))))
            }
            None => Ok(answer.map(|body| Body::new(Held::new(body, (question, share))))),
        }
    }
}

fn is_stream(answer: &Response<Body>) -> bool {
    let kind = answer.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    kind.is_some_and(|kind| kind.starts_with(b"text/event-stream"))
}

fn too_many(what: &str) -> Response<Body> {
    let message = format!("{what} at this moment; try again soon");
    let mut answer = Problem::new(ProblemKind::Unavailable, message).into_response();
    answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    // Whatever else was asked on it, unheard, is not worth the work.
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}
