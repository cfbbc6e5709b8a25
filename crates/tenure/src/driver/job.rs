//! What a member does with a shard, whatever the user wrote it as.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

use super::Hold;
use crate::error::BoxError;
use crate::shard::{Fence, Shard};

/// How a piece of work ended.
pub(crate) type WorkResult = Result<(), BoxError>;

/// What is done with a shard, from warming to its end. Called once for each time that a shard comes.
pub(crate) type Job = Arc<dyn Fn(Ticket) -> BoxFuture<'static, WorkResult> + Send + Sync>;

/// A shard that is to come.
#[derive(Debug)]
pub(crate) struct Ticket {
    pub(crate) fence: Fence,
    pub(crate) begin: oneshot::Receiver<(Shard, Hold)>,
}

impl Ticket {
    /// Waits until the shard may act; `None` if it never will.
    pub(crate) async fn shard(self) -> Option<(Shard, Hold)> {
        self.begin.await.ok()
    }
}
