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

use crate::json::StreamEvent;
use crate::shared::Shared;

/// `GET /api/v1/stream`.
pub(super) async fn stream(
    State(shared): State<Arc<Shared>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let viewer = Viewer::new(shared);
    let events = stream::unfold(viewer, |mut viewer| async move {
        let event = viewer.next().await?;
        let event = Event::default().event(event.name).data(&event.data);
        Some((Ok(event), viewer))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

/// Somebody who looks on.
struct Viewer {
    shared: Arc<Shared>,
    events: Receiver<Arc<StreamEvent>>,
    /// The state of the picture that was sent last: what led to it need not be told.
    seq: u64,
    due: VecDeque<Arc<StreamEvent>>,
}

impl Viewer {
    fn new(shared: Arc<Shared>) -> Self {
        let (picture, events) = shared.follow();
        Self { shared, events, seq: picture.seq.unwrap_or(0), due: VecDeque::from([Arc::new(picture)]) }
    }

    /// The next event; `None` when the dashboard is over.
    async fn next(&mut self) -> Option<Arc<StreamEvent>> {
        loop {
            if let Some(event) = self.due.pop_front() {
                return Some(event);
            }
            let over = self.shared.over.clone();
            let received = tokio::select! {
                () = over.cancelled() => return None,
                received = self.events.recv() => received,
            };
            match received {
                Ok(event) if event.seq.is_some_and(|seq| seq <= self.seq) => {}
                Ok(event) => return Some(event),
                Err(RecvError::Lagged(_)) => self.begin_anew(),
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// A viewer that is too slow gets a new picture.
    fn begin_anew(&mut self) {
        *self = Self::new(Arc::clone(&self.shared));
    }
}
