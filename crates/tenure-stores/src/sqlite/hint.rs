//! Hears that somebody wrote to the log, without asking again and again.
//!
//! Every commit appends to the write-ahead log, which inotify tells at once, yet a moment too early: the commit counts only
//! after the log was synchronised and its index updated, and the index is shared memory, of which inotify says nothing. So a
//! ring is followed by a few looks, each twice as late as the one before, until even a slow disk is done.
//!
//! ```text
//!  writer     append ─── synchronise ─── index ✓
//!  inotify      ring
//!  looks         ·  ·   ·     ·          ·  seen
//! ```
//! Where inotify can't be had (too many watches, no support), the change counter is looked at every 50 ms.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};

/// When to look again after a ring, each counted from the look before.
const LOOKS_MS: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// How often to look where inotify can't be had.
const POLL: Duration = Duration::from_millis(50);

/// Rings when the log is written to.
#[derive(Debug)]
pub(super) struct Bell {
    inotify: Option<OwnedFd>,
    /// How many looks of the present series were taken; `None` when all is quiet.
    looks: Option<usize>,
}

impl Bell {
    /// Hangs a bell at the log.
    pub(super) fn hang(log: &Path) -> Self {
        let inotify = listen(log);
        if let Err(error) = &inotify {
            tracing::debug!(%error, "inotify is not available; looking for changes every 50 ms");
        }
        Self { inotify: inotify.ok(), looks: None }
    }

    /// What to wait on.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.inotify.as_ref().map(AsFd::as_fd)
    }

    /// How long to wait at most, before the next look.
    pub(super) fn patience(&self) -> Option<Duration> {
        match (&self.inotify, self.looks) {
            (None, _) => Some(POLL),
            (Some(_), Some(taken)) => LOOKS_MS.get(taken).map(|wait_ms| Duration::from_millis(*wait_ms)),
            (Some(_), None) => None,
        }
    }

    /// It rang: a series of looks begins.
    pub(super) fn rang(&mut self) {
        if self.inotify.as_ref().is_some_and(|inotify| !hear(inotify)) {
            self.inotify = None;
        }
        self.looks = Some(0);
    }

    /// A look was taken.
    pub(super) fn looked(&mut self) {
        self.looks = self.looks.map(|taken| taken + 1).filter(|taken| *taken < LOOKS_MS.len());
    }
}

fn listen(log: &Path) -> rustix::io::Result<OwnedFd> {
    let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
    inotify::add_watch(&inotify, log, WatchFlags::MODIFY)?;
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
    use super::*;

    fn waits_of(bell: &mut Bell) -> Vec<u64> {
        let mut waits = Vec::new();
        while let Some(wait) = bell.patience() {
            waits.push(u64::try_from(wait.as_millis()).unwrap());
            bell.looked();
        }
        waits
    }

    #[test]
    fn a_quiet_bell_is_waited_for_without_end() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(Bell::hang(file.path()).patience(), None);
    }

    #[test]
    fn a_ring_is_followed_by_a_few_looks_and_then_quiet() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bell = Bell::hang(file.path());
        bell.rang();
        assert_eq!(waits_of(&mut bell), LOOKS_MS);
        assert_eq!(bell.patience(), None);
    }

    #[test]
    fn a_ring_in_the_midst_begins_the_series_anew() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bell = Bell::hang(file.path());
        bell.rang();
        bell.looked();
        bell.rang();
        assert_eq!(waits_of(&mut bell), LOOKS_MS);
    }

    #[test]
    fn without_a_bell_one_looks_every_fifty_milliseconds() {
        let bell = Bell::hang(Path::new("/nowhere/at/all"));
        assert_eq!(bell.patience(), Some(POLL));
    }

    #[test]
    fn a_bell_whose_file_is_deleted_gives_way_to_looking() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bell = Bell::hang(file.path());
        file.close().unwrap();
        bell.rang();
        assert_eq!(bell.patience(), Some(POLL));
    }
}
