//! A connection that does not wait for ever for its reader.
//!
//! An answer that its client does not read would hold its place and its descriptor until the peer pleases. So a write that gets nowhere for
//! [`PATIENCE`] ends the connection. Reads are limited elsewhere: who looks on a stream says nothing for hours.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tenure::clock::Clock;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// So long a write may get nowhere.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// A connection that does not wait for ever for its reader.
pub(super) struct WriteTimeout<S> {
    stream: S,
    /// Runs while a write gets nowhere.
    waiting: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<S> fmt::Debug for WriteTimeout<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteTimeout").field("waiting", &self.waiting.is_some()).finish_non_exhaustive()
    }
}

impl<S> WriteTimeout<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream, waiting: None }
    }

    fn judge<T>(&mut self, context: &mut Context<'_>, came: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if came.is_ready() {
            self.waiting = None;
            return came;
        }
        let waiting =
            self.waiting.get_or_insert_with(|| Box::pin(async { Clock::boot().sleep(PATIENCE).await }));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "nobody takes the answer")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let came = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, came)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let came = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, came)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let came = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(context, came)
    }
}
