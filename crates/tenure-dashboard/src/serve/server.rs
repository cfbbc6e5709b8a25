//! The connections: accepted, limited, and ended in order.
//!
//! One server for every face: the dashboard, a member's health and figures, the page of `tenure up`. A connection has to say what
//! it wants in time, or is closed. When all places are taken, the one that has asked for nothing for longest gives way to the newcomer.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustix::net::sockopt::set_tcp_user_timeout;
use tenure::clock::Clock;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::budget::Budget;
use super::connection::{Connection, ServerState};
use super::slots::{SlotId, Slots};
use super::turns::Turns;
use super::write_timeout::{self, WriteTimeout};
use super::{Limits, Peer, Tls};

/// So long the head of a request, or a TLS handshake, may take; and so long a connection may be idle.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest head of a request.
const HEAD_MAX: usize = 32 * 1024;

/// So long answers under way may take after the end was asked for.
const FAREWELL: Duration = Duration::from_secs(5);

/// The pause after an accept that failed, for want of file descriptors for instance.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves `router` until `over` is cancelled, and then what is under way to its end. Streams have to end by themselves:
/// [`Dashboard::stop`](crate::Dashboard::stop) ends those of a dashboard.
pub async fn serve(listener: TcpListener, tls: Option<Tls>, router: Router, over: CancellationToken) {
    let limits = Limits::of_this_process();
    let server = Server::new(limits, tls, router);
    server.run(&listener, &over).await;
    drop(listener);
    // Clients that are not done by then are cut off.
    let _ = Clock::boot().timeout(FAREWELL, server.graceful.shutdown()).await;
}

/// Serves `router` on one connection that is there already, from `from`, until it ends: by the same rules, with no other beside it.
pub async fn converse(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    from: SocketAddr,
    router: Router,
) {
    let server = Server::new(Limits::of_this_process(), None, router);
    server.talk(from, &CancellationToken::new()).0.serve(stream).await;
}

/// All connections of one listener.
struct Server {
    shared: Arc<ServerState>,
    places: Arc<Semaphore>,
    graceful: GracefulShutdown,
    tls: Option<Tls>,
    router: Router,
}

impl Server {
    fn new(limits: Limits, tls: Option<Tls>, router: Router) -> Self {
        let (slots, budget) = (Mutex::new(Slots::default()), Budget::new(limits));
        let shared = Arc::new(ServerState { slots, silence: Notify::new(), budget, turns: Turns::default() });
        let places = Arc::new(Semaphore::new(limits.connections));
        Self { shared, places, graceful: GracefulShutdown::new(), tls, router }
    }

    async fn run(&self, listener: &TcpListener, over: &CancellationToken) {
        let mut fails = false;
        loop {
            let accepted = tokio::select! {
                () = over.cancelled() => return,
                accepted = self.accept(listener) => accepted,
            };
            match accepted {
                Ok((stream, from, place)) => self.begin(stream, from, place),
                Err(error) => {
                    if !fails {
                        tracing::warn!(%error, "connections can't be accepted; trying on");
                    }
                    // Perhaps for want of descriptors: one of ours is free soon.
                    self.shared.with(Slots::make_way);
                    Clock::boot().sleep(PAUSE).await;
                    fails = true;
                    continue;
                }
            }
            fails = false;
        }
    }

    /// A newcomer with a place of its own.
    async fn accept(
        &self,
        listener: &TcpListener,
    ) -> std::io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
        let (stream, from) = listener.accept().await?;
        loop {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                return Ok((stream, from, place));
            }
            self.shared.with(Slots::make_way);
            tokio::select! {
                place = Arc::clone(&self.places).acquire_owned() => return Ok((stream, from, place.expect("never closed"))),
                () = self.shared.silence.notified() => {}
            }
        }
    }

    fn begin(&self, stream: TcpStream, from: SocketAddr, place: OwnedSemaphorePermit) {
        // Events are small and should leave at once; a peer that is gone should be noticed though nothing is written.
        let _ = stream.set_nodelay(true);
        let _ = set_tcp_user_timeout(&stream, write_timeout::PATIENCE.as_millis() as u32);
        let leave = CancellationToken::new();
        let (talk, slot) = self.talk(from, &leave);
        let (tls, left) = (self.tls.clone(), Left { shared: Arc::clone(&self.shared), slot, _place: place });
        tokio::spawn(async move {
            tokio::select! {
                () = leave.cancelled() => {}
                () = talk.begin(stream, tls) => {}
            }
            drop(left);
        });
    }

    /// What is said with somebody who has come, and leaves when `leave` is cancelled.
    fn talk(&self, from: SocketAddr, leave: &CancellationToken) -> (Talk, SlotId) {
        let slot = self.shared.with(|slots| slots.enter(leave.clone()));
        let (shared, router) = (Arc::clone(&self.shared), self.router.clone());
        let connection = Connection { shared, slot, peer: Peer::at(from), router };
        (Talk { connection, watcher: self.graceful.watcher() }, slot)
    }
}

/// Gives the place back, after the descriptor.
struct Left {
    shared: Arc<ServerState>,
    slot: SlotId,
    _place: OwnedSemaphorePermit,
}

impl Drop for Left {
    fn drop(&mut self) {
        self.shared.with(|slots| slots.exit(self.slot));
    }
}

/// One connection.
struct Talk {
    connection: Connection,
    watcher: Watcher,
}

impl Talk {
    async fn begin(mut self, stream: TcpStream, tls: Option<Tls>) {
        let Some(tls) = tls else { return self.serve(stream).await };
        match Clock::boot().timeout(PATIENCE, tls.acceptor().accept(stream)).await {
            Ok(Ok(stream)) => {
                self.connection.peer = self.connection.peer.with(stream.get_ref().1.peer_certificates());
                self.serve(stream).await;
            }
            Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
            Err(error) => tracing::debug!(%error, "a TLS handshake took too long"),
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(HEAD_MAX);
        let connection = self.connection;
        let service = service_fn(move |request| connection.clone().answer(request));
        let connection = http.serve_connection(TokioIo::new(WriteTimeout::new(stream)), service);
        if let Err(error) = self.watcher.watch(connection).await {
            tracing::debug!(%error, "a connection ended badly");
        }
    }
}
