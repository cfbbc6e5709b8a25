//! A thread of its own for the connections of one handle.
//!
//! The caller's runtime may be busy or blocked by the very work whose lease is to be renewed, and a connection must be driven by
//! somebody. What is asked here goes on when its caller has gone: a call that was sent can't be called back anyway.

use std::future::Future;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use super::error::Trouble;

/// Where the connections are driven, until it is dropped.
#[derive(Debug)]
pub(super) struct Desk {
    runtime: Handle,
    _open: oneshot::Sender<()>,
}

impl Desk {
    /// Starts the thread.
    pub(super) fn start() -> Result<Self, Trouble> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|_| Trouble::NoThread)?;
        let handle = runtime.handle().clone();
        let (open, closed) = oneshot::channel();
        let thread = std::thread::Builder::new().name("tenure-postgres".into());
        thread.spawn(move || serve(&runtime, closed)).map_err(|_| Trouble::NoThread)?;
        Ok(Self { runtime: handle, _open: open })
    }

    /// Has `work` done, to its end, even if the caller does not wait for it.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Trouble>> + Send + 'static,
    ) -> Result<T, Trouble> {
        self.runtime.spawn(work).await.unwrap_or(Err(Trouble::Closed))
    }

    /// Has `work` done until the desk is dropped.
    pub(super) fn keep(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }
}

fn serve(runtime: &Runtime, closed: oneshot::Receiver<()>) {
    // Ends when the sender is dropped; all tasks, and with them the connections, end with the runtime.
    let _ = runtime.block_on(closed);
}
