//! What a member does with a shard, whatever the user wrote it as.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use super::Hold;
use crate::error::BoxError;
use crate::member::Event;
use crate::shard::{Fence, Shard};

/// How a piece of work ended.
pub(crate) type WorkResult = Result<(), BoxError>;

/// A user's handler, from warming to its end. Called once for each time that a shard comes.
pub(crate) type Job = Arc<dyn Fn(Ticket) -> BoxFuture<'static, WorkResult> + Send + Sync>;

/// What is done with shards.
pub(crate) enum Duty {
    /// A handler works on each.
    Work(Job),
    /// Each is given to whoever reads the events.
    Give(mpsc::UnboundedSender<Event>),
}

impl fmt::Debug for Duty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Work(_) => "Work",
            Self::Give(_) => "Give",
        })
    }
}

/// A shard that is to come.
#[derive(Debug)]
pub(crate) struct Ticket {
    pub(crate) fence: Fence,
    pub(super) begin: oneshot::Receiver<(Shard, Hold)>,
}

impl Ticket {
    /// Waits until the shard may act; `None` if it never will.
    pub(crate) async fn shard(self) -> Option<(Shard, Hold)> {
        self.begin.await.ok()
    }
}
