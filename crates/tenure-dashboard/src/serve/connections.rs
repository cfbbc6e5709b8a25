//! The connections: accepted, limited, and ended in order.
//!
//! A connection has to say what it wants in time, or is closed: silence is cheap for whoever sends it. Beyond the greatest
//! number of connections new ones wait in the system's queue.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tenure::clock::Clock;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::Tls;

/// So many are served at once.
const CONNECTIONS_MAX: usize = 256;

/// So long the head of a request, or a TLS handshake, may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// So long answers under way may take after the end was asked for.
const FAREWELL: Duration = Duration::from_secs(5);

/// The pause after an accept that failed, for want of file descriptors for instance.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves `router` until `over` is cancelled, and then what is under way to its end. Streams have to end by themselves:
/// [`Dashboard::stop`](crate::Dashboard::stop) ends those of a dashboard.
pub async fn serve(listener: TcpListener, tls: Option<Tls>, router: Router, over: CancellationToken) {
    let clock = Clock::boot();
    let graceful = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let accepted = tokio::select! {
            () = over.cancelled() => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        match accepted {
            Ok((stream, permit)) => {
                let talk = Talk { router: router.clone(), watcher: graceful.watcher(), permit };
                tokio::spawn(talk.begin(stream, tls.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                clock.sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    // Whoever is not done by then is cut off.
    let _ = clock.timeout(FAREWELL, graceful.shutdown()).await;
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> std::io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.expect("never closed");
    let (stream, _) = listener.accept().await?;
    Ok((stream, permit))
}

/// One connection.
struct Talk {
    router: Router,
    watcher: Watcher,
    permit: OwnedSemaphorePermit,
}

impl Talk {
    async fn begin(self, stream: TcpStream, tls: Option<Tls>) {
        // Events are small and should leave at once.
        let _ = stream.set_nodelay(true);
        let Some(tls) = tls else { return self.serve(stream).await };
        match Clock::boot().timeout(PATIENCE, tls.acceptor().accept(stream)).await {
            Ok(Ok(stream)) => self.serve(stream).await,
            Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
            Err(error) => tracing::debug!(%error, "a TLS handshake took too long"),
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
        let service = TowerToHyperService::new(self.router);
        let connection = http.serve_connection(TokioIo::new(stream), service);
        if let Err(error) = self.watcher.watch(connection).await {
            tracing::debug!(%error, "a connection ended badly");
        }
        drop(self.permit);
    }
}
