//! One call to one endpoint: connect, show who we are, send, wait.

use std::time::Duration;

use tenure::clock::Clock;
use tenure_core::moment::Moment;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::MetadataMap;
use tonic::transport::Channel;
use tonic::{IntoRequest, Request, Status};
use tonic_prost::ProstCodec;

use super::circle::{Circle, Turn};
use super::keyring::Pass;
use super::refusal::{Mishap, Obstacle};

/// The most that one answer may hold: a page of a listing at its largest, see [`super::listing`].
const ANSWER_MAX_BYTES: usize = 256 * 1024 * 1024;

/// A caller who goes away after this long has waited in vain, and says something about the endpoint.
const VAIN_WAIT: Duration = Duration::from_millis(100);

/// Sends `request`; its answer, or how it ended.
pub(super) async fn unary<Q, A>(
    channel: Channel,
    path: &'static str,
    request: Request<Q>,
) -> Result<A, Status>
where
    Q: prost::Message + 'static,
    A: prost::Message + Default + 'static,
{
    let mut grpc = client(channel).await?;
    let codec = ProstCodec::<Q, A>::default();
    grpc.unary(request, PathAndQuery::from_static(path), codec).await.map(tonic::Response::into_inner)
}

/// A client that is ready for one call.
pub(super) async fn client(channel: Channel) -> Result<Grpc<Channel>, Status> {
    let mut grpc = Grpc::new(channel).max_decoding_message_size(ANSWER_MAX_BYTES);
    grpc.ready().await.map_err(|error| Status::from_error(error.into()))?;
    Ok(grpc)
}

/// A request that shows `pass`, and that a member without a leader refuses at once instead of waiting for one.
pub(super) fn dressed<Q>(message: impl IntoRequest<Q>, pass: &Pass) -> Request<Q> {
    let mut request = message.into_request();
    dress(request.metadata_mut(), pass);
    request
}

fn dress(metadata: &mut MetadataMap, pass: &Pass) {
    metadata.insert("hasleader", "true".parse().expect("letters can be metadata"));
    if let Pass::Token(token) = pass {
        metadata.insert("token", token.clone());
    }
}

/// Waits for the end of a call for no longer than `limit`.
pub(super) async fn within<A>(
    clock: &Clock,
    limit: Duration,
    call: impl Future<Output = Result<A, Status>>,
) -> Result<A, Mishap> {
    match clock.timeout(limit, call).await {
        Ok(answer) => answer.map_err(|status| Mishap::of(&status)),
        Err(_) => Err(Mishap::Unanswered(Obstacle::passing(format!("no answer within {limit:?}")))),
    }
}

/// Somebody waits for an endpoint. Dropped without [`Wait::end`] after a while, the endpoint is abandoned: the caller's own
/// time was over before ours, and the next call must not meet the same silence.
pub(super) struct Wait<'a> {
    circle: &'a Circle,
    turn: Turn,
    clock: &'a Clock,
    began: Moment,
    ended: bool,
}

impl<'a> Wait<'a> {
    pub(super) fn begin(circle: &'a Circle, turn: Turn, clock: &'a Clock) -> Self {
        Self { circle, turn, clock, began: clock.now(), ended: false }
    }

    pub(super) fn end(mut self) {
        self.ended = true;
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        if !self.ended && self.clock.now().since(self.began) >= VAIN_WAIT {
            self.circle.abandon(self.turn);
        }
    }
}
