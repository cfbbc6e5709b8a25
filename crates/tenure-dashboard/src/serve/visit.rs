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
use super::budget::{Budget, Errand};
use super::held::Held;
use super::room::{Room, SeatId};
use super::turn::Turns;
use crate::view::{Problem, ProblemKind};

/// What all connections of a server share.
#[derive(Debug)]
pub(super) struct House {
    pub(super) room: Mutex<Room>,
    /// Somebody has asked for nothing more: there may be way to make.
    pub(super) silence: Notify,
    pub(super) budget: Budget,
    pub(super) turns: Turns,
}

impl House {
    pub(super) fn with<T>(&self, change: impl FnOnce(&mut Room) -> T) -> T {
        change(&mut self.room.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A question that is being answered.
#[derive(Debug)]
struct Question {
    house: Arc<House>,
    seat: SeatId,
}

impl Drop for Question {
    fn drop(&mut self) {
        self.house.with(|room| room.answer(self.seat));
        self.house.silence.notify_one();
    }
}

/// Who has come, and where the answers are.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) house: Arc<House>,
    pub(super) seat: SeatId,
    pub(super) peer: Peer,
    pub(super) router: Router,
}

impl Visit {
    /// Answers one question.
    pub(super) async fn answer(self, mut request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        self.house.with(|room| room.ask(self.seat));
        let question = Question { house: Arc::clone(&self.house), seat: self.seat };
        let errand = Errand::to(request.uri().path());
        let Some(share) = self.house.budget.share(errand) else {
            return Ok(too_many("too many are being answered"));
        };
        request.extensions_mut().insert(self.peer);
        let answering = TowerToHyperService::new(self.router).call(request);
        let answer = match errand {
            Errand::Probe => answering.await?,
            Errand::Figures | Errand::Other => self.house.turns.take(answering).await?,
        };
        let stream = if is_stream(&answer) { Some(self.house.budget.stream()) } else { None };
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
