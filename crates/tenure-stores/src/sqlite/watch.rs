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
//! In a crowd somebody writes all the time. Two hundred rings are answered at once, more than a cluster needs to settle whatever has
//! happened; from then on one in fifty milliseconds, with all that came since: a member among hundreds has no more to look at than
//! among dozens.
//!
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

/// How far apart looks are if it rings all the time.
const SPACING: Duration = Duration::from_millis(50);

/// How many looks are taken at once before that.
const BURST: u32 = 200;

/// Which look is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// It rang.
    AfterRing,
    /// It did not ring for long.
    ByItself,
}

/// Rings when a change can be seen.
#[derive(Debug)]
pub(super) struct Bell {
    inotify: Option<OwnedFd>,
    /// When to look after a ring that is not answered yet.
    due_at: Option<Moment>,
    looked_at: Moment,
    /// By when all looks so far would have been taken if none had come early.
    paced_until: Moment,
}

impl Bell {
    /// Hangs a bell at the file of the greatest number drawn.
    pub(super) fn hang(drawn: &Path, now: Moment) -> Self {
        let inotify = listen(drawn);
        if let Err(error) = &inotify {
            tracing::debug!(%error, "inotify is not available; looking for changes every 50 ms");
        }
        Self { inotify: inotify.ok(), due_at: None, looked_at: now, paced_until: now }
    }

    /// What to wait on. Until a ring is answered no further one is heard.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.inotify.as_ref().map(AsFd::as_fd).filter(|_| self.due_at.is_none())
    }

    /// When to look, if it does not ring before.
    pub(super) fn deadline(&self) -> Moment {
        let pause = if self.inotify.is_some() { SLOW } else { FAST };
        self.due_at.unwrap_or_else(|| self.looked_at + pause)
    }

    /// It rang.
    pub(super) fn rang(&mut self, now: Moment) {
        self.due_at = Some(now.max(self.paced_until - SPACING * BURST));
    }

    /// The look that is due now, and is taken.
    pub(super) fn look(&mut self, now: Moment) -> Option<Look> {
        if now < self.deadline() {
            return None;
        }
        self.looked_at = now;
        match self.due_at.take() {
            Some(_) => {
                // Whatever rang until now is seen by this look.
                self.inotify = self.inotify.take().filter(hear);
                self.paced_until = now.max(self.paced_until) + SPACING;
                Some(Look::AfterRing)
            }
            None => Some(Look::ByItself),
        }
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

    /// Not the first moment of all: time before it is asked about.
    const NOW: Moment = Moment::from_nanos(1_000_000_000_000);

    fn hung() -> (tempfile::NamedTempFile, Bell) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bell = Bell::hang(file.path(), NOW);
        (file, bell)
    }

    #[test]
    fn what_rings_no_bell_is_looked_for_once_a_second() {
        let (_file, mut bell) = hung();
        assert_eq!((bell.deadline(), bell.look(NOW)), (NOW + SLOW, None));
        assert_eq!(bell.look(NOW + SLOW), Some(Look::ByItself));
        assert_eq!(bell.deadline(), NOW + SLOW * 2);
    }

    #[test]
    fn a_ring_is_answered_at_once_by_one_look() {
        let (mut file, mut bell) = hung();
        file.write_all(b"rings").unwrap();
        bell.rang(NOW);
        assert_eq!((bell.deadline(), bell.look(NOW)), (NOW, Some(Look::AfterRing)));
        assert_eq!((bell.deadline(), bell.look(NOW)), (NOW + SLOW, None));
        let mut buffer = [0; 64];
        assert!(rustix::io::read(bell.fd().unwrap(), &mut buffer).is_err(), "nothing is left to hear");
    }

    #[test]
    fn rings_without_end_are_answered_twenty_times_a_second() {
        let (_file, mut bell) = hung();
        let (mut now, mut looks) = (NOW, Vec::new());
        while now < NOW + Duration::from_secs(20) {
            bell.rang(now);
            now = bell.deadline();
            assert_eq!(bell.look(now), Some(Look::AfterRing));
            looks.push(now);
        }
        assert!(
            looks.iter().take(BURST as usize).all(|look| *look == NOW),
            "the first ones are answered at once"
        );
        let (last, before) = (looks[looks.len() - 1], looks[looks.len() - 2]);
        assert_eq!(last.since(before), SPACING);
    }

    #[test]
    fn after_a_rest_rings_are_answered_at_once_again() {
        let (_file, mut bell) = hung();
        for _ in 0..2 * BURST {
            bell.rang(NOW);
            bell.look(bell.deadline());
        }
        let rested = NOW + SPACING * 2 * BURST;
        bell.rang(rested);
        assert_eq!(bell.deadline(), rested);
    }

    #[test]
    fn a_ring_that_waits_for_its_answer_wakes_nobody() {
        let (_file, mut bell) = hung();
        bell.rang(NOW);
        assert!(bell.fd().is_none());
        bell.look(NOW);
        assert!(bell.fd().is_some());
    }

    #[test]
    fn without_a_bell_one_looks_every_fifty_milliseconds() {
        let bell = Bell::hang(Path::new("/nowhere/at/all"), NOW);
        assert_eq!(bell.deadline(), NOW + FAST);
    }

    #[test]
    fn a_bell_whose_file_is_deleted_gives_way_to_looking() {
        let (file, mut bell) = hung();
        file.close().unwrap();
        bell.rang(NOW);
        assert_eq!(bell.look(NOW), Some(Look::AfterRing));
        assert_eq!(bell.deadline(), NOW + FAST);
    }
}
