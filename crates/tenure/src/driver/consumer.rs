//! Who gets the shards of a member: a handler that works on them, or a stream that somebody reads.

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
pub(crate) type Handler = Arc<dyn Fn(ComingShard) -> BoxFuture<'static, WorkResult> + Send + Sync>;

/// Who gets the shards of a member.
pub(crate) enum Consumer {
    /// A handler works on each.
    Handler(Handler),
    /// Each goes to the reader of the stream of events.
    Stream(mpsc::UnboundedSender<Event>),
}

impl fmt::Debug for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Handler(_) => "Handler",
            Self::Stream(_) => "Stream",
        })
    }
}

/// A shard that is to come.
#[derive(Debug)]
pub(crate) struct ComingShard {
    pub(crate) fence: Fence,
    pub(super) begin: oneshot::Receiver<(Shard, Hold)>,
}

impl ComingShard {
    /// Waits until the shard may act; `None` if it never will.
    pub(crate) async fn shard(self) -> Option<(Shard, Hold)> {
        self.begin.await.ok()
    }
}
