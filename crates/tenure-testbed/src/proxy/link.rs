//! One connection through the proxy: two pumps, and the moment when it has to be closed.
//!
//! Both pumps and the watch over the mode are one task, so that no byte is judged by a mode while another part of the link
//! has already acted on the next one.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::watch;

use super::http::Requests;
use super::mode::{Fate, Mode, Way};
use super::tally::Tally;

/// An answer is over when the server has been silent for this long. Over HTTP/2 its first bytes may be no answer yet.
const SILENCE: Duration = Duration::from_millis(100);

/// What one connection knows.
#[derive(Debug)]
pub(super) struct Link {
    mode: Arc<watch::Sender<Mode>>,
    tally: Arc<Tally>,
    requests: Option<Mutex<Requests>>,
    /// Bytes of this connection were lost.
    torn: AtomicBool,
    /// The answer that comes next is to be lost, and the connection with it.
    doomed: AtomicBool,
}

impl Link {
    pub(super) fn new(mode: Arc<watch::Sender<Mode>>, tally: Arc<Tally>, counts_requests: bool) -> Self {
        let requests = counts_requests.then(Mutex::default);
        Self { mode, tally, requests, torn: AtomicBool::new(false), doomed: AtomicBool::new(false) }
    }

    /// Carries bytes until an end closes, or the mode asks for it.
    pub(super) async fn carry(self, client: TcpStream, upstream: SocketAddr) {
        tokio::select! {
            biased;
            () = self.overtaken() => {}
            _ended = self.join(client, upstream) => {}
        }
    }

    /// Returns once the mode allows this connection no more.
    async fn overtaken(&self) {
        let torn = || self.torn.load(Ordering::Relaxed);
        let over = |mode: &Mode| *mode == Mode::Cut || (torn() && mode.is_whole());
        // An error would mean that there is no proxy any more.
        let _ = self.mode.subscribe().wait_for(over).await;
    }

    async fn join(&self, client: TcpStream, upstream: SocketAddr) -> io::Result<()> {
        let server = self.reach(upstream).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let ((client_in, client_out), (server_in, server_out)) = (client.into_split(), server.into_split());
        let to_server = self.pump(client_in, server_out, Way::ToServer);
        let to_client = self.pump(server_in, client_out, Way::ToClient);
        tokio::try_join!(to_server, to_client).map(|_| ())
    }

    /// Nothing reaches a server through a black hole, not even the wish to connect.
    async fn reach(&self, upstream: SocketAddr) -> io::Result<TcpStream> {
        if *self.mode.borrow() == Mode::BlackHole {
            self.torn.store(true, Ordering::Relaxed);
            return std::future::pending().await;
        }
        TcpStream::connect(upstream).await
    }

    async fn pump(&self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf, way: Way) -> io::Result<()> {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let count = from.read(&mut buffer).await?;
            self.condemn(way, count);
            let lost = !self.is_let_through(way).await;
            if self.is_last_answer(way) {
                return self.discard(from, &mut buffer).await;
            }
            if lost {
                self.torn.store(true, Ordering::Relaxed);
            } else {
                self.forward(&mut to, way, &buffer[..count]).await?;
            }
            if count == 0 {
                return self.end(lost).await;
            }
        }
    }

    /// The first bytes from a client after the mode was set are the request whose answer is to be lost.
    fn condemn(&self, way: Way, count: usize) {
        if way == Way::ToServer && count > 0 {
            let armed = self.mode.send_if_modified(|mode| {
                let armed = *mode == Mode::DropAnswerThenCut;
                *mode = if armed { Mode::Pass } else { *mode };
                armed
            });
            self.doomed.fetch_or(armed, Ordering::Relaxed);
        }
    }

    fn is_last_answer(&self, way: Way) -> bool {
        way == Way::ToClient && self.doomed.load(Ordering::Relaxed)
    }

    /// Waits while bytes are held; says whether they then go on.
    async fn is_let_through(&self, way: Way) -> bool {
        let mut modes = self.mode.subscribe();
        loop {
            let mode = *modes.borrow_and_update();
            match mode.fate(way) {
                Fate::Forwarded => return true,
                Fate::Lost => return false,
                Fate::Held(time) => tokio::select! {
                    () = tokio::time::sleep(time) => return true,
                    _ = modes.changed() => {}
                },
            }
        }
    }

    /// Takes what the server says until it falls silent, then gives the connection up.
    async fn discard(&self, mut from: OwnedReadHalf, buffer: &mut [u8]) -> io::Result<()> {
        while let Ok(Ok(1..)) = tokio::time::timeout(SILENCE, from.read(buffer)).await {}
        self.tally.count_lost_answer();
        Err(io::ErrorKind::ConnectionAborted.into())
    }

    async fn forward(&self, to: &mut OwnedWriteHalf, way: Way, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return to.shutdown().await;
        }
        to.write_all(bytes).await?;
        self.tally.count_bytes(way, bytes.len());
        self.count_requests(way, bytes);
        Ok(())
    }

    fn count_requests(&self, way: Way, bytes: &[u8]) {
        if let (Way::ToServer, Some(requests)) = (way, &self.requests) {
            let found = requests.lock().unwrap_or_else(PoisonError::into_inner).read(bytes);
            found.iter().for_each(|operation| self.tally.count_request(operation));
        }
    }

    /// An end that was lost is never told: the other side waits, until the mode closes the connection.
    async fn end(&self, lost: bool) -> io::Result<()> {
        if lost { std::future::pending().await } else { Ok(()) }
    }
}
