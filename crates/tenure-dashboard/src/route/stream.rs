//! Looking on: server-sent events. The whole picture first, then what changes.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{self, Stream};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::board::Frame;
use crate::desk::Desk;

/// `GET /api/v1/stream`.
pub(super) async fn stream(
    State(desk): State<Arc<Desk>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let viewer = Viewer::new(desk);
    let events = stream::unfold(viewer, |mut viewer| async move {
        let frame = viewer.next().await?;
        let event = Event::default().event(frame.name).data(&frame.data);
        Some((Ok(event), viewer))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

/// Somebody who looks on.
struct Viewer {
    desk: Arc<Desk>,
    events: Receiver<Arc<Frame>>,
    /// The state of the picture that was sent last: what led to it need not be told.
    seq: u64,
    due: VecDeque<Arc<Frame>>,
}

impl Viewer {
    fn new(desk: Arc<Desk>) -> Self {
        let (picture, events) = desk.follow();
        Self { desk, events, seq: picture.seq.unwrap_or(0), due: VecDeque::from([Arc::new(picture)]) }
    }

    /// The next event; `None` when the dashboard is over.
    async fn next(&mut self) -> Option<Arc<Frame>> {
        loop {
            if let Some(frame) = self.due.pop_front() {
                return Some(frame);
            }
            let over = self.desk.over.clone();
            let received = tokio::select! {
                () = over.cancelled() => return None,
                received = self.events.recv() => received,
            };
            match received {
                Ok(frame) if frame.seq.is_some_and(|seq| seq <= self.seq) => {}
                Ok(frame) => return Some(frame),
                Err(RecvError::Lagged(_)) => self.begin_anew(),
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Whoever is too slow gets a new picture.
    fn begin_anew(&mut self) {
        *self = Self::new(Arc::clone(&self.desk));
    }
}
