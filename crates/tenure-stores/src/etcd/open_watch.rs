//! One open watch on one endpoint.
//!
//! A watch may be silent because nothing happens, or because nobody is there. So one that has been quiet for a while asks;
//! one that is not answered is over. It is over too when the endpoint is left by others.

use std::time::Duration;

use futures_util::stream;
use tokio::sync::mpsc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Status, Streaming};
use tonic_prost::ProstCodec;

use super::attempt::{client as grpc_client, dressed, within};
use super::circle::Turn;
use super::client::Client;
use super::message::{WatchAsk, WatchCreate, WatchProgress, WatchRequest, WatchResponse};
use super::refusal::{Mishap, Obstacle};

const WATCH: &str = "/etcdserverpb.Watch/Watch";

/// After so long a silence it asks; after as long again it is over.
const QUIET: Duration = Duration::from_secs(2);

/// An open watch.
#[derive(Debug)]
pub(super) struct OpenWatch {
    turn: Turn,
    asks: mpsc::UnboundedSender<WatchRequest>,
    answers: Streaming<WatchResponse>,
    asked: bool,
}

/// Why a watch is over.
#[derive(Debug)]
pub(super) enum Break {
    /// Its endpoint was left; another one is waiting.
    Moved,
    Failed(Mishap),
}

impl OpenWatch {
    pub(super) async fn open(client: &Client, turn: Turn, create: WatchCreate) -> Result<Self, Mishap> {
        let (channel, pass) = client.reach(turn).await?;
        let (asks, queue) = mpsc::unbounded_channel();
        ask(&asks, WatchAsk::Create(create));
        let requests = stream::unfold(queue, |mut queue| async move { Some((queue.recv().await?, queue)) });
        let call = async {
            let codec = ProstCodec::<WatchRequest, WatchResponse>::default();
            let mut grpc = grpc_client(channel).await?;
            grpc.streaming(dressed(requests, &pass), PathAndQuery::from_static(WATCH), codec).await
        };
        let answers = within(&client.clock, client.patience, call).await?.into_inner();
        Ok(Self { turn, asks, answers, asked: false })
    }

    pub(super) fn turn(&self) -> Turn {
        self.turn
    }

    /// What etcd says next.
    pub(super) async fn next(&mut self, client: &Client) -> Result<WatchResponse, Break> {
        // Ends within twice the time that it may be quiet.
        loop {
            tokio::select! {
                answer = self.answers.message() => return self.heard(answer),
                () = client.circle.over(self.turn) => return Err(Break::Moved),
                () = client.clock.sleep(QUIET) => self.is_quiet()?,
            }
        }
    }

    fn heard(&mut self, answer: Result<Option<WatchResponse>, Status>) -> Result<WatchResponse, Break> {
        self.asked = false;
        match answer {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(failed("the watch ended")),
            Err(status) => Err(Break::Failed(Mishap::of(&status))),
        }
    }

    fn is_quiet(&mut self) -> Result<(), Break> {
        if self.asked {
            return Err(failed("the watch fell silent"));
        }
        self.asked = true;
        ask(&self.asks, WatchAsk::Progress(WatchProgress {}));
        Ok(())
    }
}

fn ask(asks: &mpsc::UnboundedSender<WatchRequest>, ask: WatchAsk) {
    // A watch that is over says so by its answers.
    let _ = asks.send(WatchRequest { ask: Some(ask) });
}

fn failed(said: &str) -> Break {
    Break::Failed(Mishap::Unanswered(Obstacle::passing(said)))
}
