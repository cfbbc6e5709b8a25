//! The reaper: stands between member and warden, and ends what they leave behind.
//!
//! It starts the warden and does nothing else, unless the warden dies, or does not end its children in time. Then it ends
//! everything below, grandchildren in sessions of their own too. So member and warden may both be killed, or both frozen, or one
//! of each: nothing that they started goes on. Should it be frozen itself, the kernel ends it before the lease ends
//! ([`super::kill_timer`]), and the warden with it.
//!
//! It keeps the lock that proves the member dead, and writes the last word: it has seen that nothing acts any more.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Pid;
use tenure::clock::Clock;
use tenure::store::LAST_WORD;
use tenure_core::warden::{Order, Vigil, Vote};

use super::alarm::Alarm;
use super::args::{self, HelperArgs};
use super::children::OURSELVES;
use super::kill_timer::KillTimer;
use super::slate::{Helper, Slate};
use super::wire::Wire;
use super::{namespace, tree};

/// A reaper at work.
#[derive(Debug)]
pub(super) struct Reaper {
    /// To the member, which is gone when it is cut.
    wire: Wire,
    orphaned: bool,
    warden: Child,
    /// Held, never looked at: the warden sees by it that we live.
    _bond: Wire,
    slate: Slate,
    vigil: Vigil,
    timer: KillTimer,
    beat: Duration,
    /// Readable when a child has ended.
    deaths: UnixStream,
    alarm: Alarm,
    clock: Clock,
    /// While it is open, no proof says that the member is dead.
    lock: Option<File>,
}

impl Reaper {
    /// Starts the warden with what the member's first packet brings: its end of the wire, the slate, and the lock.
    pub(super) fn start(args: &HelperArgs, deaths: UnixStream) -> io::Result<Self> {
        let wire = Wire::given(io::stdin().as_fd().try_clone_to_owned()?);
        let packet = wire.receive::<Order>()?.ok_or_else(|| io::Error::other("the member is gone"))?;
        let mut descriptors = packet.descriptors.into_iter();
        let (Some(there), Some(slate)) = (descriptors.next(), descriptors.next()) else {
            return Err(io::Error::other("the member gave no wire and no slate"));
        };
        let slate = Slate::given(slate);
        let (warden, bond) = spawn(args, &there, &slate)?;
        Ok(Self {
            wire,
            orphaned: false,
            warden,
            _bond: bond,
            slate,
            vigil: Vigil::new(args.allowance),
            timer: KillTimer::new()?,
            beat: args.beat,
            deaths,
            alarm: Alarm::new()?,
            clock: Clock::boot(),
            lock: descriptors.next().map(File::from),
        })
    }

    /// Ends when the warden has, and nothing that it held lives.
    pub(super) fn run(mut self) -> io::Result<()> {
        while self.warden.try_wait()?.is_none() {
            self.watch()?;
            if self.wait()? {
                self.read_order();
            }
        }
        tree::sweep();
        self.lock.as_mut().map_or(Ok(()), |lock| lock.write_all(LAST_WORD))
    }

    /// Shows that it lives, and sees that the warden does its work.
    fn watch(&mut self) -> io::Result<()> {
        let now = self.clock.now();
        self.slate.beat(Helper::Reaper, now)?;
        let term = self.slate.term();
        self.vigil.lease(now, term);
        if self.vigil.asks(now) {
            // Whatever begins from now on sees that there is no guard; whatever began before is seen.
            self.slate.set_guard(None)?;
            let warden = Pid::from_child(&self.warden);
            if self.vigil.seen(now, has_children(warden)) == Vote::Kill {
                tree::fell(warden);
            }
            // It may have waited for nothing to run.
            self.vigil.lease(now, term);
        }
        self.timer.set(self.vigil.guard())?;
        self.slate.set_guard(self.vigil.guard().filter(|_| self.vigil.is_guarding()))
    }

    /// Says whether there is an order to read.
    fn wait(&mut self) -> io::Result<bool> {
        let beat = self.clock.now() + self.beat;
        self.alarm.set(Some(self.vigil.deadline().map_or(beat, |look| look.min(beat))))?;
        let mut fds = [
            PollFd::new(&self.deaths, PollFlags::IN),
            PollFd::new(&self.alarm, PollFlags::IN),
            PollFd::new(&self.wire, PollFlags::IN),
        ];
        // A wire without its other end is always ready; it has nothing more to say.
        let count = if self.orphaned { 2 } else { 3 };
        match poll(&mut fds[..count], None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ordered = !fds[2].revents().is_empty();
        let _ = (&self.deaths).read(&mut [0; 64]);
        Ok(ordered)
    }

    /// Every order says the same: look at the slate. What can't be understood does not come from the member.
    fn read_order(&mut self) {
        if !matches!(self.wire.receive::<Order>(), Ok(Some(_))) {
            self.orphaned = true;
            self.vigil.orphaned(self.clock.now());
        }
    }
}

/// Starts the warden, and ties it to this process.
fn spawn(args: &HelperArgs, there: &OwnedFd, slate: &Slate) -> io::Result<(Child, Wire)> {
    if args.isolated {
        namespace::open()?;
    }
    let (bond, end) = Wire::pair()?;
    bond.send(&Order::Hello, &[there.as_fd(), slate.share()?.as_fd()])?;
    let arguments: Vec<OsString> = args.to_argv(args::WARDEN);
    let warden = Command::new(OURSELVES).arg0("tenure").args(arguments).stdin(end.into_end()).spawn()?;
    Ok((warden, bond))
}

/// Whether anything runs below the warden. What can't be known counts as running.
fn has_children(warden: Pid) -> bool {
    let pid = warden.as_raw_nonzero();
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    list.map_or_else(|_| tree::has_children(warden), |list| !list.trim().is_empty())
}
