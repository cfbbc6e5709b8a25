//! The proxy itself: a listener, the connections it has taken, and the mode they obey.
//!
//! To refuse connections the listener must go, but its port must not: a second socket is bound to it all the time, and
//! never listens.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

use super::link::Link;
use super::mode::{Mode, Way};
use super::tally::Tally;

/// How many connections may wait to be taken.
const BACKLOG: u32 = 128;

/// How long to wait when a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(10);

type Door = Option<Arc<TcpListener>>;

/// A proxy in front of one server. Dropped, it closes all its connections.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    mode: Arc<watch::Sender<Mode>>,
    door: watch::Sender<Door>,
    tally: Arc<Tally>,
    acceptor: AbortHandle,
    runtime: Handle,
    /// Keeps the port while nobody listens on it.
    _port: TcpSocket,
}

impl Proxy {
    /// A proxy on a free port of the loopback, in front of `upstream`. It lives on the runtime that this is called on.
    ///
    /// # Errors
    /// If the system gives no port.
    pub async fn start(upstream: SocketAddr) -> io::Result<Self> {
        Self::open(upstream, false)
    }

    /// As [`start`](Self::start), in front of a server that speaks HTTP/1.1: [`requests`](Self::requests) are counted.
    ///
    /// # Errors
    /// If the system gives no port.
    pub async fn start_http(upstream: SocketAddr) -> io::Result<Self> {
        Self::open(upstream, true)
    }

    /// A proxy in front of each.
    ///
    /// # Errors
    /// If the system gives no ports.
    pub async fn start_each(upstreams: &[SocketAddr]) -> io::Result<Vec<Self>> {
        upstreams.iter().map(|upstream| Self::open(*upstream, false)).collect()
    }

    fn open(upstream: SocketAddr, counts_requests: bool) -> io::Result<Self> {
        let port = bound((Ipv4Addr::LOCALHOST, 0).into())?;
        let address = port.local_addr()?;
        let door = watch::Sender::new(Some(listen(address)?));
        let (mode, tally) = (Arc::new(watch::Sender::new(Mode::Pass)), Arc::new(Tally::default()));
        let reception =
            Reception { upstream, counts_requests, mode: Arc::clone(&mode), tally: Arc::clone(&tally) };
        let acceptor = tokio::spawn(reception.receive(door.subscribe())).abort_handle();
        Ok(Self { address, mode, door, tally, acceptor, runtime: Handle::current(), _port: port })
    }

    /// Where clients connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the mode, for connections that exist and those to come. May be called from any thread.
    ///
    /// # Panics
    /// If the port can't be listened on again after [`Mode::Cut`].
    pub fn set(&self, mode: Mode) {
        // The mode is first, so that nobody who comes in by an open door meets the one before.
        self.mode.send_replace(mode);
        self.door.send_if_modified(|door| match (mode == Mode::Cut, door.is_some()) {
            (true, true) => door.take().is_some(),
            (false, false) => {
                *door = Some(self.reopen());
                true
            }
            (true, false) | (false, true) => false,
        });
    }

    fn reopen(&self) -> Arc<TcpListener> {
        let _runtime = self.runtime.enter();
        listen(self.address).expect("the port is kept for this")
    }

    /// The mode at present.
    pub fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    /// How many connections clients have made.
    pub fn connections(&self) -> u64 {
        self.tally.connections()
    }

    /// How many bytes reached the server.
    pub fn bytes_to_server(&self) -> u64 {
        self.tally.bytes(Way::ToServer)
    }

    /// How many bytes reached clients.
    pub fn bytes_to_client(&self) -> u64 {
        self.tally.bytes(Way::ToClient)
    }

    /// How many answers [`Mode::DropAnswerThenCut`] has lost.
    pub fn answers_lost(&self) -> u64 {
        self.tally.answers_lost()
    }

    /// The HTTP requests that reached the server, by method; those that list keys under `LIST`.
    pub fn requests(&self) -> BTreeMap<String, u64> {
        self.tally.requests()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.acceptor.abort();
    }
}

fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    Ok(socket)
}

fn listen(address: SocketAddr) -> io::Result<Arc<TcpListener>> {
    bound(address)?.listen(BACKLOG).map(Arc::new)
}

/// Takes connections.
struct Reception {
    upstream: SocketAddr,
    counts_requests: bool,
    mode: Arc<watch::Sender<Mode>>,
    tally: Arc<Tally>,
}

impl Reception {
    /// Goes on until it is aborted; its connections end with it.
    async fn receive(self, mut doors: watch::Receiver<Door>) {
        let mut links = JoinSet::new();
        loop {
            let door = doors.borrow_and_update().clone();
            tokio::select! {
                biased;
                changed = doors.changed() => if changed.is_err() { return },
                Some(_) = links.join_next() => {}
                client = accept(door) => {
                    self.tally.count_connection();
                    let link = Link::new(Arc::clone(&self.mode), Arc::clone(&self.tally), self.counts_requests);
                    links.spawn(link.carry(client, self.upstream));
                }
            }
        }
    }
}

/// The next connection; never one while the door is shut.
async fn accept(door: Door) -> tokio::net::TcpStream {
    match door {
        Some(listener) => loop {
            match listener.accept().await {
                Ok((client, _)) => return client,
                // A client that has gone already, or no descriptor left: either passes.
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        },
        None => std::future::pending().await,
    }
}
