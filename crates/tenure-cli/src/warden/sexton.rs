//! The sexton: stands between member and warden, and buries what they leave.
//!
//! It starts the warden and does nothing else, unless the warden dies, or does not end its children in time. Then it ends
//! everything below, grandchildren in sessions of their own too, since all of it comes to the sexton when its parents die. So
//! member and warden may both be killed, or both frozen, or one of each: nothing that they started goes on.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, getpid, kill_process};
use tenure::clock::Clock;
use tenure_core::moment::Moment;

use super::alarm::Alarm;
use super::calling::{self, Calling};
use super::message::Order;
use super::nursery::OURSELVES;
use super::tree;
use super::vigil::Vigil;
use super::wire::Wire;

/// A sexton at work.
#[derive(Debug)]
pub(super) struct Sexton {
    wire: Wire,
    warden: Child,
    vigil: Vigil,
    /// Readable when a child has ended.
    deaths: UnixStream,
    alarm: Alarm,
    clock: Clock,
    /// Held, never looked at: while it is open nobody can prove the member dead.
    _lock: Vec<OwnedFd>,
}

impl Sexton {
    /// Starts the warden with what the member's first packet brings: its end of the wire, and the lock.
    pub(super) fn start(calling: &Calling, deaths: UnixStream) -> io::Result<Self> {
        let wire = Wire::given(io::stdin().as_fd().try_clone_to_owned()?);
        let packet = wire.receive::<Order>()?.ok_or_else(|| io::Error::other("the member is gone"))?;
        let mut descriptors = packet.descriptors.into_iter();
        let there = descriptors.next().ok_or_else(|| io::Error::other("there is no wire for the warden"))?;
        let warden = spawn(calling, there)?;
        let vigil = Vigil::new(calling.allowance);
        let (alarm, clock, _lock) = (Alarm::new()?, Clock::boot(), descriptors.collect());
        Ok(Self { wire, warden, vigil, deaths, alarm, clock, _lock })
    }

    /// Ends when the warden has.
    pub(super) fn run(mut self) -> io::Result<()> {
        let mut orphaned = false;
        while self.warden.try_wait()?.is_none() {
            let ordered = self.wait(orphaned)?;
            if ordered {
                orphaned |= !self.read_order();
            }
            let (now, warden) = (self.clock.now(), Pid::from_child(&self.warden));
            if self.vigil.is_failed(now, || has_children(warden)) {
                // Not waited for yet: the number is its own.
                kill_process(warden, Signal::KILL)?;
            }
        }
        Ok(())
    }

    /// Says whether there is an order to read.
    fn wait(&mut self, orphaned: bool) -> io::Result<bool> {
        self.alarm.set(self.vigil.deadline())?;
        let wanted = if orphaned { PollFlags::empty() } else { PollFlags::IN };
        let mut fds = [
            PollFd::new(&self.deaths, PollFlags::IN),
            PollFd::new(&self.alarm, PollFlags::IN),
            PollFd::new(&self.wire, wanted),
        ];
        // A wire without its other end is always ready; it has nothing more to say.
        let count = if orphaned { 2 } else { 3 };
        match poll(&mut fds[..count], None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ordered = !fds[2].revents().is_empty();
        let _ = (&self.deaths).read(&mut [0; 64]);
        Ok(ordered)
    }

    /// `false`: the member is gone.
    fn read_order(&mut self) -> bool {
        let now = self.clock.now();
        match self.wire.receive::<Order>() {
            Ok(Some(packet)) => {
                if let Order::Lease(until_ns) = packet.message {
                    self.vigil.lease(now, Moment::from_nanos(until_ns));
                }
                true
            }
            Ok(None) | Err(_) => {
                self.vigil.orphaned(now);
                false
            }
        }
    }
}

fn spawn(calling: &Calling, there: OwnedFd) -> io::Result<Child> {
    let calling = Calling { parent: getpid().as_raw_pid(), ..calling.clone() };
    let arguments: Vec<OsString> = calling.arguments(calling::WARDEN);
    Command::new(OURSELVES).arg0("tenure").args(arguments).stdin(there).spawn()
}

/// Whether anything runs below the warden. What can't be known counts as running.
fn has_children(warden: Pid) -> bool {
    let pid = warden.as_raw_nonzero();
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    list.map_or_else(|_| tree::has_children(warden), |list| !list.trim().is_empty())
}
