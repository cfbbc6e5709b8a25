//! The thread that carries the connections.
//!
//! A connection is driven by tasks: they send, receive and answer pings. Were they on the runtime of whoever opened the
//! store, work that blocks it would hold up the renewal of its lease. So they have a thread of their own.

use std::convert::Infallible;
use std::io;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// A runtime on one thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Thread {
    runtime: Handle,
    /// Dropped, it wakes the thread for the last time.
    _open: oneshot::Sender<Infallible>,
}

impl Thread {
    pub(super) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (open, closed) = oneshot::channel::<Infallible>();
        let thread = std::thread::Builder::new().name("tenure-etcd".into());
        // The runtime is dropped there, too: no asynchronous caller may do that.
        thread.spawn(move || drop(runtime.block_on(closed)))?;
        Ok(Self { runtime: handle, _open: open })
    }

    /// Begins `work` there, whether or not anybody waits for it. None if the thread ended first. Dropped, the work is not
    /// done any further.
    pub(super) fn begin<T, W>(&self, work: W) -> impl Future<Output = Option<T>> + Send + 'static + use<T, W>
    where
        T: Send + 'static,
        W: Future<Output = T> + Send + 'static,
    {
        let mut task = AbortOnDrop(self.runtime.spawn(work));
        async move { (&mut task.0).await.ok() }
    }
}

struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn what_goes_on_there_ends_with_it() {
        let thread = Thread::start().unwrap();
        let (held, end) = mpsc::channel::<()>();
        let work = thread.begin(async move {
            let _held = held;
            pending::<()>().await;
        });
        drop(thread);
        assert!(end.recv().is_err(), "the work was dropped, and what it held with it");
        drop(work);
    }

    #[test]
    fn work_that_nobody_wants_any_more_is_dropped() {
        let thread = Thread::start().unwrap();
        let (held, end) = mpsc::channel::<()>();
        drop(thread.begin(async move {
            let _held = held;
            pending::<()>().await;
        }));
        assert!(end.recv().is_err());
    }
}
