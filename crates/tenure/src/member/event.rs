//! Ownership as a stream of events, for those who don't want handlers.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use tenure_core::message::LapseReason;
use tokio::sync::mpsc;

use crate::shard::{Fence, Shard};

/// What happened to this member's shards. At each variant: what is expected of its receiver.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// The member holds a lease; shards may follow.
    Joined,
    /// The shard is this member's: act for it while it holds, and keep it. Dropping it says that its work has ended; the
    /// shard then stays this member's, without work, until it moves.
    Gained(Shard),
    /// The shard is promised to another member: finish within the limit, then drop the [`Shard`].
    Draining {
        /// Which shard, at which epoch.
        fence: Fence,
        /// How long it may take.
        limit: Duration,
    },
    /// The promise was called off: go on.
    Resumed(Fence),
    /// The shard's guard is closed: end its work now, then drop the [`Shard`]. It is released only after that, and the
    /// process is aborted if that takes longer than `abort_limit` (unless `on_stuck = "wait"`).
    Lost(Fence),
    /// The member has no lease any more and every guard is closed; each shard is [`Lost`](Self::Lost) too. It joins again
    /// by itself once all shards were dropped, unless it has left.
    Lapsed(LapseReason),
}

/// A stream of [`Event`]s, which ends with its member.
///
/// Dropping the stream drops the shards that it still holds; those that come after are given back at once.
#[derive(Debug)]
pub struct Events(mpsc::UnboundedReceiver<Event>);

impl Events {
    pub(super) fn new() -> (mpsc::UnboundedSender<Event>, Self) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (sender, Self(receiver))
    }

    /// The next event; `None` once the member has ended. Cancel-safe.
    pub async fn next(&mut self) -> Option<Event> {
        self.0.recv().await
    }
}

impl Stream for Events {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        self.0.poll_recv(cx)
    }
}
