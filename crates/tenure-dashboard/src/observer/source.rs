//! Answers who owns a key, by what the dashboard last saw.

use std::sync::Arc;

use async_trait::async_trait;

use crate::ask::{Drawn, Source};
use crate::shared::Shared;

/// What the dashboard last saw.
pub(crate) struct OfBoard(Arc<Shared>);

impl OfBoard {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }
}

#[async_trait]
impl Source for OfBoard {
    async fn drawn(&self) -> Option<Drawn> {
        self.0.read(|board, at_ms| {
            let (seen, ago_ms) = (board.last_seen()?, board.seen_ago_ms(at_ms)?);
            Some(Drawn { survey: Arc::clone(&seen.survey), drawn_ago_ms: ago_ms, seen_ago_ms: ago_ms })
        })
    }

    async fn changed(&self) {
        self.0.looked.notified().await;
    }
}
