//! One connection, from its first byte to its last: what it asks is answered within the server's limits.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Request, Response, header};
use axum::response::IntoResponse;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use rustls::pki_types::CertificateDer;
use tokio::sync::Notify;

use super::budget::{Budget, RequestKind};
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

/// The other end of a connection; found among the extensions of each of its requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Where it is.
    pub address: SocketAddr,
    /// The names in its certificate, if it has shown one that was issued by an authority that is trusted here.
    pub names: Vec<String>,
}

impl Peer {
    pub(super) fn at(address: SocketAddr) -> Self {
        Self { address, names: Vec::new() }
    }

    /// With what its certificate says. The certificate was verified when it was shown.
    pub(super) fn with(mut self, chain: Option<&[CertificateDer<'_>]>) -> Self {
        let leaf = chain.and_then(<[_]>::first).and_then(|leaf| webpki::EndEntityCert::try_from(leaf).ok());
        self.names = leaf.iter().flat_map(|leaf| leaf.valid_dns_names().map(Into::into)).collect();
        self
    }
}

/// A body, and what it holds.
#[derive(Debug)]
struct Held<T> {
    body: Body,
    _held: T,
}

impl<T> Held<T> {
    fn new(body: Body, held: T) -> Self {
        Self { body, _held: held }
    }
}

impl<T: Unpin> hyper::body::Body for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
