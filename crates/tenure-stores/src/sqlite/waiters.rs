//! Those who wait for the end of processes, told by the kernel.
//!
//! Every member waits for the end of every other. A set in the kernel tells which have ended, so that a thread which waits for other
//! things as well does not hand in all of them each time.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{Timespec, epoll};
use tokio::sync::oneshot;

/// How many ends are taken in at once; more are taken in right after.
const AT_ONCE: usize = 32;

const NO_TIME: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Somebody waits for the end of a process.
#[derive(Debug)]
pub(super) struct Waiter {
    /// The process's descriptor; ready when it has ended.
    pub(super) process: OwnedFd,
    pub(super) told: oneshot::Sender<()>,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Waiters {
    ready: OwnedFd,
    kept: BTreeMap<u64, Waiter>,
    begun: u64,
}

impl Waiters {
    /// None yet.
    pub(super) fn new() -> rustix::io::Result<Self> {
        let ready = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Self { ready, kept: BTreeMap::new(), begun: 0 })
    }

    /// What to wait on.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.ready.as_fd()
    }

    /// Begins one, and ends those that nobody waits for any more. Where the kernel can't take it, whoever waits looks for himself.
    pub(super) fn begin(&mut self, vigil: Waiter) {
        self.kept.retain(|_, vigil| !vigil.told.is_closed());
        self.begun += 1;
        let name = epoll::EventData::new_u64(self.begun);
        if epoll::add(&self.ready, &vigil.process, name, epoll::EventFlags::IN).is_ok() {
            self.kept.insert(self.begun, vigil);
        }
    }

    /// Tells of the processes that have ended.
    pub(super) fn tell(&mut self) {
        let mut events = [MaybeUninit::uninit(); AT_ONCE];
        let Ok((ended, _)) = epoll::wait(&self.ready, &mut events, Some(&NO_TIME)) else { return };
        for event in ended {
            // Closing its descriptor takes it out of the kernel's set.
            if let Some(vigil) = self.kept.remove(&event.data.u64()) {
                let _ = vigil.told.send(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    use super::*;

    fn child() -> Child {
        Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
    }

    fn begin(vigils: &mut Waiters, child: &Child) -> oneshot::Receiver<()> {
        let process = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).unwrap();
        let (told, end) = oneshot::channel();
        vigils.begin(Waiter { process, told });
        end
    }

    #[test]
    fn the_end_of_a_process_is_told_to_all_who_wait_and_of_no_other() {
        let mut vigils = Waiters::new().unwrap();
        let (mut dies, mut lives) = (child(), child());
        let (mut first, mut second) = (begin(&mut vigils, &dies), begin(&mut vigils, &dies));
        let mut other = begin(&mut vigils, &lives);
        dies.kill().unwrap();
        dies.wait().unwrap();
        vigils.tell();
        assert!(first.try_recv().is_ok() && second.try_recv().is_ok());
        assert_eq!(other.try_recv(), Err(oneshot::error::TryRecvError::Empty));
        lives.kill().unwrap();
        lives.wait().unwrap();
    }

    #[test]
    fn whoever_has_gone_is_not_waited_for() {
        let mut vigils = Waiters::new().unwrap();
        let mut lives = child();
        for _ in 0..3 {
            drop(begin(&mut vigils, &lives));
        }
        let _end = begin(&mut vigils, &lives);
        assert_eq!(vigils.kept.len(), 1);
        lives.kill().unwrap();
        lives.wait().unwrap();
    }
}
