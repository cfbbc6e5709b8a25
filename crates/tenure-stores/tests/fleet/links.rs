//! The way from each member to its store: a proxy of its own in front of each server, so that one member's link can be
//! lost while the others' hold.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tenure_testbed::proxy::{Mode, Proxy};
use tokio::runtime::Runtime;

use super::{Blow, Storm};

/// How long a slow link holds everything, each way.
const SLOW: Duration = Duration::from_millis(20);

/// The links of all members.
#[derive(Debug)]
pub struct Links {
    servers: Vec<SocketAddr>,
    /// For each member, a proxy in front of each server.
    members: Vec<Arc<Vec<Proxy>>>,
}

impl Links {
    /// Links of that many members. They live as long as `runtime`, which must have a thread of its own.
    ///
    /// # Panics
    /// If the system gives no ports.
    pub fn new(runtime: &Runtime, members: usize, servers: &[SocketAddr]) -> Self {
        let one = |_| Arc::new(runtime.block_on(Proxy::start_each(servers)).expect("free ports"));
        Self { servers: servers.into(), members: (0..members).map(one).collect() }
    }

    /// What `text` says about the servers, as it is for one member: an address of a store, or a file with one.
    ///
    /// # Panics
    /// If it does not name all servers: a member would reach one by another way.
    pub fn seen_by(&self, member: usize, text: &str) -> String {
        let ways = self.servers.iter().zip(self.members[member].iter());
        ways.fold(text.into(), |text, (server, proxy)| {
            assert!(text.contains(&server.to_string()), "{server} is not in {text}");
            text.replace(&server.to_string(), &proxy.address().to_string())
        })
    }

    /// A storm that is also about links: one member's is lost for less or more than a lease, refused, or all are lost for longer
    /// than a lease, or all are slow.
    pub fn threaten(&self, storm: Storm) -> Storm {
        let each = (0..self.members.len()).fold(storm.at_most(2), |storm, member| {
            storm
                .with(format!("link {member} is a black hole"), 0.2..2.0, self.of(member, Mode::BlackHole))
                .with(format!("link {member} is cut"), 0.1..0.6, self.of(member, Mode::Cut))
        });
        each.with("all links are black holes", 1.2..1.6, self.of_all(Mode::BlackHole)).with(
            "all links are slow",
            0.5..1.0,
            self.of_all(Mode::Delay(SLOW)),
        )
    }

    /// What befalls one member's links.
    pub fn of(&self, member: usize, mode: Mode) -> BadLinks {
        BadLinks { proxies: vec![Arc::clone(&self.members[member])], mode }
    }

    /// What befalls all links.
    pub fn of_all(&self, mode: Mode) -> BadLinks {
        BadLinks { proxies: self.members.clone(), mode }
    }
}

/// Some links, and what befalls them.
#[derive(Debug)]
pub struct BadLinks {
    proxies: Vec<Arc<Vec<Proxy>>>,
    mode: Mode,
}

impl BadLinks {
    fn set(&self, mode: Mode) {
        self.proxies.iter().flat_map(|proxies| proxies.iter()).for_each(|proxy| proxy.set(mode));
    }
}

impl Blow for BadLinks {
    fn strike(&mut self) {
        self.set(self.mode);
    }

    fn heal(&mut self) {
        self.set(Mode::Pass);
    }
}
