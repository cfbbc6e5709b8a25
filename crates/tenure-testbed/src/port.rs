//! Free ports of the loopback, such that no two servers of this machine are given the same one.
//!
//! A port is chosen by binding it, and lies below 32768: from there on the kernel hands ports to clients, and one of them could
//! take it while our server restarts. Between our letting go of it and the server's binding it, another test could choose the
//! same one; so a port also has a lock file, which is held for as long as the server lives, dead or alive.
//!
//! A process that some thread of ours is just starting has all our open files until its program begins. So nothing here counts on a
//! file's being closed: a lock is given up in so many words, and the socket that tries a port never listens.

use std::fs::File;
use std::net::SocketAddr;

use tokio::net::TcpSocket;

use crate::error::{Doing, Error};

const LOWEST: u16 = 10_000;
const HIGHEST: u16 = 32_000;

/// A port that is ours.
#[derive(Debug)]
pub(crate) struct Port {
    number: u16,
    claim: File,
}

impl Port {
    /// Chooses a free one.
    pub(crate) fn free() -> Result<Self, Error> {
        let span = HIGHEST - LOWEST;
        let first = fastrand::u16(..span);
        let candidates = (0..span).map(|step| LOWEST + (first + step) % span);
        candidates.filter_map(Self::claim).next().ok_or_else(|| {
            Error::Refused(format!("no port of 127.0.0.1 between {LOWEST} and {HIGHEST} is free"))
        })
    }

    /// Chooses `N` different free ones.
    pub(crate) fn several<const N: usize>() -> Result<[Self; N], Error> {
        let ports: Vec<Self> = (0..N).map(|_| Self::free()).collect::<Result<_, _>>()?;
        Ok(ports.try_into().expect("N ports were chosen"))
    }

    pub(crate) fn number(&self) -> u16 {
        self.number
    }

    /// `127.0.0.1:port`.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.number)
    }

    fn claim(number: u16) -> Option<Self> {
        let claim = lock_file(number).ok()?;
        claim.try_lock().ok()?;
        let port = Self { number, claim };
        can_listen(number).then_some(port)
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        // It ends with its file at the latest.
        let _ = self.claim.unlock();
    }
}

/// Whether nothing listens at this port.
fn can_listen(number: u16) -> bool {
    let tried = TcpSocket::new_v4().and_then(|socket| {
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::from(([127, 0, 0, 1], number)))
    });
    tried.is_ok()
}

/// In the system's folder and not in ours: all working copies on a machine share its ports.
fn lock_file(number: u16) -> Result<File, Error> {
    let folder = std::env::temp_dir().join("tenure-ports");
    std::fs::create_dir_all(&folder).doing(|| format!("make {}", folder.display()))?;
    let path = folder.join(number.to_string());
    File::create(&path).doing(|| format!("write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::{HIGHEST, LOWEST, Port, can_listen};

    #[test]
    fn no_port_is_given_twice() {
        let ports = Port::several::<50>().unwrap();
        let mut numbers: Vec<u16> = ports.iter().map(Port::number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 50);
        assert!(numbers.iter().all(|number| (LOWEST..HIGHEST).contains(number)));
    }

    #[test]
    fn a_port_stays_ours_while_nobody_listens() {
        let port = Port::free().unwrap();
        assert!(Port::claim(port.number()).is_none());
        let number = port.number();
        drop(port);
        assert!(Port::claim(number).is_some());
    }

    #[test]
    fn a_port_at_which_somebody_listens_is_not_free() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(!can_listen(listener.local_addr().unwrap().port()));
    }

    #[test]
    fn a_port_is_free_at_once_although_a_process_was_being_started() {
        let starting = std::thread::spawn(|| {
            for _ in 0..200 {
                std::process::Command::new("true").status().unwrap();
            }
        });
        while !starting.is_finished() {
            let port = Port::free().unwrap();
            let number = port.number();
            drop(port);
            assert!(Port::claim(number).is_some());
        }
    }
}
