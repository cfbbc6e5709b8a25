//! Being told to stop, by a signal.

use std::future::poll_fn;
use std::task::Poll;

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::{Exit, Failure};

/// By Ctrl-C, or by whoever supervises this process.
pub(crate) const ASKED: [SignalKind; 2] = [SignalKind::interrupt(), SignalKind::terminate()];

/// The signals that ask this process to end.
#[derive(Debug)]
pub(crate) struct Stops(Vec<Signal>);

impl Stops {
    /// From now on these signals end nothing by themselves.
    pub(crate) fn listen(kinds: &[SignalKind]) -> Result<Self, Failure> {
        let signals: Result<_, _> = kinds.iter().map(|kind| signal(*kind)).collect();
        let deaf = |error| Failure::new(Exit::Store, "can't listen for signals").because(error);
        signals.map(Self).map_err(deaf)
    }

    /// Completes at the next signal. Cancel-safe.
    pub(crate) async fn next(&mut self) {
        poll_fn(|context| match self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}
