//! Hears that somebody wrote, without asking again and again.
//!
//! Whoever has committed a change then writes its number into the file of the greatest number drawn, which inotify tells at once.
//! By then the change can be seen, so one look suffices; and the file says whether there is anything to look for.
//!
//! ```text
//!  writer     append ─── synchronise ─── index ✓ ─── number
//!  inotify                                              ring
//!  look                                                  · seen
//! ```
//! Other programs, and a writer that dies in between, ring no bell: SQLite's change counter is looked at once a second. Where inotify
//! can't be had (too many watches, no support), that is done every 50 ms.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use tenure_core::moment::Moment;

/// How often to look for what rings no bell.
const SLOW: Duration = Duration::from_secs(1);

/// How often to look where there is no bell.
const FAST: Duration = Duration::from_millis(50);

/// Rings when a change can be seen.
#[derive(Debug)]
pub(super) struct Bell {
    inotify: Option<OwnedFd>,
    /// When it was last looked for what rings no bell.
    looked_at: Moment,
}

impl Bell {
    /// Hangs a bell at the file of the greatest number drawn.
    pub(super) fn hang(drawn: &Path, now: Moment) -> Self {
        let inotify = listen(drawn);
        if let Err(error) = &inotify {
            tracing::debug!(%error, "inotify is not available; looking for changes every 50 ms");
        }
        Self { inotify: inotify.ok(), looked_at: now }
    }

    /// What to wait on.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.inotify.as_ref().map(AsFd::as_fd)
    }

    /// When to look, whether it rings or not.
    pub(super) fn deadline(&self) -> Moment {
        self.looked_at + if self.inotify.is_some() { SLOW } else { FAST }
    }

    /// It rang.
    pub(super) fn rang(&mut self) {
        if self.inotify.as_ref().is_some_and(|inotify| !hear(inotify)) {
            self.inotify = None;
        }
    }

    /// It was looked for what rings no bell.
    pub(super) fn looked(&mut self, now: Moment) {
        self.looked_at = now;
    }
}

fn listen(drawn: &Path) -> rustix::io::Result<OwnedFd> {
    let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
    inotify::add_watch(&inotify, drawn, WatchFlags::MODIFY)?;
    Ok(inotify)
}

/// Takes in what was rung; false if the bell is gone with its file.
fn hear(inotify: &OwnedFd) -> bool {
    let mut buffer = [MaybeUninit::uninit(); 1024];
    let mut events = Reader::new(inotify, &mut buffer);
    // Ends when nothing is left to read: the descriptor does not block.
    while let Ok(event) = events.next() {
        if event.events().contains(ReadFlags::IGNORED) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const NOW: Moment = Moment::ZERO;

    #[test]
    fn what_rings_no_bell_is_looked_for_once_a_second() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bell = Bell::hang(file.path(), NOW);
        assert_eq!(bell.deadline(), NOW + SLOW);
        bell.looked(NOW + SLOW);
        assert_eq!(bell.deadline(), NOW + SLOW * 2);
    }

    #[test]
    fn without_a_bell_one_looks_every_fifty_milliseconds() {
        let bell = Bell::hang(Path::new("/nowhere/at/all"), NOW);
        assert_eq!(bell.deadline(), NOW + FAST);
    }

    #[test]
    fn a_ring_is_heard_once() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut bell = Bell::hang(file.path(), NOW);
        file.write_all(b"rings").unwrap();
        bell.rang();
        let mut buffer = [0; 64];
        assert!(rustix::io::read(bell.fd().unwrap(), &mut buffer).is_err(), "nothing is left to hear");
        assert_eq!(bell.deadline(), NOW + SLOW);
    }

    #[test]
    fn a_bell_whose_file_is_deleted_gives_way_to_looking() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bell = Bell::hang(file.path(), NOW);
        file.close().unwrap();
        bell.rang();
        assert_eq!(bell.deadline(), NOW + FAST);
    }
}
