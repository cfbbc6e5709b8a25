//! Calls that go from endpoint to endpoint until one answers, or until it would be wrong to go on.
//!
//! The rule: a call is sent to another endpoint only if it changes nothing, or surely has not been carried out.

use std::time::Duration;

use tenure::clock::Clock;
use tonic::transport::Channel;

use super::attempt::{Wait, dressed, unary, within};
use super::circle::{Circle, Turn};
use super::error::{Tried, Trouble};
use super::keyring::{Keyring, Pass, token};
use super::message::{
    AuthenticateRequest, AuthenticateResponse, Header, RangeRequest, RangeResponse, TxnRequest, TxnResponse,
};
use super::own::Own;
use super::range::{Root, count};
use super::refusal::{Mishap, Obstacle, Refusal};
use super::sight::Sight;
use super::thread::Thread;

const RANGE: &str = "/etcdserverpb.KV/Range";
const TXN: &str = "/etcdserverpb.KV/Txn";
const AUTHENTICATE: &str = "/etcdserverpb.Auth/Authenticate";

/// Everything that handles and watches of one store share.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) root: Root,
    pub(super) circle: Circle,
    pub(super) keyring: Keyring,
    pub(super) sight: Sight,
    pub(super) own: Own,
    pub(super) clock: Clock,
    pub(super) patience: Duration,
    pub(super) thread: Thread,
}

/// Whether a call may be sent twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Reads,
    Writes,
}

/// An answer that shows where it comes from.
trait Answer: prost::Message + Default + 'static {
    fn header(&self) -> Option<&Header>;
}

impl Answer for RangeResponse {
    fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }
}

impl Answer for TxnResponse {
    fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }
}

impl Client {
    /// Reads keys.
    pub(super) async fn range(&self, request: RangeRequest) -> Result<RangeResponse, Trouble> {
        self.ask(Effect::Reads, RANGE, request).await
    }

    /// A transaction that only reads.
    pub(super) async fn look(&self, request: TxnRequest) -> Result<TxnResponse, Trouble> {
        self.ask(Effect::Reads, TXN, request).await
    }

    /// A transaction that may write. Sent once.
    pub(super) async fn change(&self, request: TxnRequest) -> Result<TxnResponse, Trouble> {
        self.ask(Effect::Writes, TXN, request).await
    }

    /// Asks an endpoint that is not in use who it is.
    pub(super) async fn greet(&self, turn: Turn) -> Result<(), Mishap> {
        let answer = self.attempt::<_, RangeResponse>(turn, RANGE, &count(&self.root)).await;
        self.circle.endpoint(turn).hang_up();
        answer.map(drop)
    }

    /// Asks one endpoint after the other, for one round at most.
    async fn ask<Q, A>(&self, effect: Effect, path: &'static str, request: Q) -> Result<A, Trouble>
    where
        Q: prost::Message + Clone + 'static,
        A: Answer,
    {
        let mut tried = Tried::default();
        let mut renewed = false;
        while tried.len() < self.circle.len() {
            let turn = self.circle.turn();
            let wait = Wait::begin(&self.circle, turn, &self.clock);
            let end = self.attempt(turn, path, &request).await;
            wait.end();
            match end {
                Ok(answer) => return Ok(answer),
                Err(Mishap::Refused(refusal)) if !renewed && self.may_renew(&refusal) => renewed = true,
                Err(mishap) => {
                    let obstacle = self.consider(mishap, effect, turn)?;
                    tried.add(self.circle.endpoint(turn).name(), obstacle);
                }
            }
        }
        Err(Trouble::NoEndpoint(tried))
    }

    async fn attempt<Q, A>(&self, turn: Turn, path: &'static str, request: &Q) -> Result<A, Mishap>
    where
        Q: prost::Message + Clone + 'static,
        A: Answer,
    {
        let seen = self.sight.revision();
        let (channel, pass) = self.reach(turn).await?;
        let mut request = dressed(request.clone(), &pass);
        request.set_timeout(self.patience);
        let answer: A = within(&self.clock, self.patience, unary(channel, path, request)).await?;
        self.sight.note(seen, answer.header()).map_err(Mishap::Estranged)?;
        Ok(answer)
    }

    /// A connection, and what to show on it. However it fails, the call itself was not sent.
    pub(super) async fn reach(&self, turn: Turn) -> Result<(Channel, Pass), Mishap> {
        let endpoint = self.circle.endpoint(turn);
        let connected = endpoint.connected(&self.thread, &self.clock, self.patience).await;
        let channel = connected.map_err(Mishap::NotSent)?;
        let pass = match self.keyring.pass() {
            Ok(pass) => pass,
            Err(request) => self.authenticate(channel.clone(), request).await?,
        };
        Ok((channel, pass))
    }

    async fn authenticate(&self, channel: Channel, request: AuthenticateRequest) -> Result<Pass, Mishap> {
        let request = dressed(request, &Pass::Nothing);
        let call = unary(channel, AUTHENTICATE, request);
        let pass = match within(&self.clock, self.patience, call).await {
            Ok(AuthenticateResponse { token: text }) => {
                token(&text).ok_or(Mishap::Refused(Refusal::Stranger))?
            }
            Err(Mishap::Refused(Refusal::NoUsers)) => Pass::Nothing,
            Err(Mishap::Unanswered(obstacle)) => return Err(Mishap::NotSent(obstacle)),
            Err(mishap) => return Err(mishap),
        };
        self.keyring.keep(pass.clone());
        Ok(pass)
    }

    /// Whether the call may be sent again with a new token.
    pub(super) fn may_renew(&self, refusal: &Refusal) -> bool {
        matches!(refusal, Refusal::Token | Refusal::Anonymous) && self.keyring.forget()
    }

    /// Why the next endpoint is asked; or that none is.
    fn consider(&self, mishap: Mishap, effect: Effect, turn: Turn) -> Result<Obstacle, Trouble> {
        match mishap {
            Mishap::NotSent(obstacle) => {
                self.circle.abandon(turn);
                Ok(obstacle)
            }
            Mishap::Unanswered(obstacle) => {
                self.circle.abandon(turn);
                let endpoint = self.circle.endpoint(turn).name().to_owned();
                match effect {
                    Effect::Reads => Ok(obstacle),
                    Effect::Writes => Err(Trouble::Unanswered { endpoint, obstacle }),
                }
            }
            Mishap::Refused(Refusal::NotHere(said)) => {
                self.circle.leave(turn);
                Ok(Obstacle::passing(said))
            }
            Mishap::Refused(refusal) => {
                Err(Trouble::refused(refusal, self.keyring.name(), self.root.as_str()))
            }
            Mishap::Estranged(estranged) => {
                self.circle.leave(turn);
                Err(Trouble::Estranged(estranged))
            }
        }
    }
}
