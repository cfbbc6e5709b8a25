//! The warden's loop: sleeps until something happens, asks the machine, does what it says.
//!
//! One thread does all of it. The kernel's death signal comes when the *thread* that started a child ends, so that thread must
//! be the process; and nothing here may wait for anybody: a member that doesn't read its reports must not delay the deadline.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tenure::clock::Clock;
use tenure_core::moment::Moment;

use super::alarm::Alarm;
use super::machine::{Action, Actions, Event, Machine};
use super::message::{JobId, Order, Report, Work};
use super::nursery::Nursery;
use super::records::Records;
use super::tree;
use super::wire::Wire;

/// The pause between two looks at jobs that are being cleared: not every end is told.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// A warden at work.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) machine: Machine,
    pub(super) nursery: Nursery,
    pub(super) records: Records,
    pub(super) wire: Wire,
    /// Readable when a child has ended.
    pub(super) deaths: UnixStream,
    alarm: Alarm,
    clock: Clock,
    /// Where the output of the job that is being started goes.
    output: Vec<OwnedFd>,
    reports: VecDeque<Report>,
    /// Held, never looked at: while it is open nobody can prove the member dead.
    lock: Vec<OwnedFd>,
    over: bool,
}

impl Service {
    pub(super) fn new(
        machine: Machine,
        nursery: Nursery,
        records: Records,
        wire: Wire,
        deaths: UnixStream,
    ) -> io::Result<Self> {
        Ok(Self {
            machine,
            nursery,
            records,
            wire,
            deaths,
            alarm: Alarm::new()?,
            clock: Clock::boot(),
            output: Vec::new(),
            reports: VecDeque::new(),
            lock: Vec::new(),
            over: false,
        })
    }

    /// Serves until the member is gone and nothing of it lives.
    pub(super) fn run(mut self) -> io::Result<()> {
        while !self.over {
            let woken = self.wait()?;
            self.advance();
            self.send_reports();
            if woken.order {
                self.read_order();
            }
            if woken.death || self.nursery.is_clearing() {
                self.look_after_deaths();
            }
        }
        tree::sweep();
        Ok(())
    }

    fn wait(&mut self) -> io::Result<Woken> {
        self.alarm.set(self.machine.deadline())?;
        let wanted = if self.reports.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
        let mut fds = [
            PollFd::new(&self.wire, wanted),
            PollFd::new(&self.deaths, PollFlags::IN),
            PollFd::new(&self.alarm, PollFlags::IN),
        ];
        let limit = self.nursery.is_clearing().then_some(&TICK);
        match poll(&mut fds, limit) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let happened =
            |fd: &PollFd<'_>| fd.revents().intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR);
        Ok(Woken { order: happened(&fds[0]), death: happened(&fds[1]) })
    }

    fn advance(&mut self) {
        let mut actions = Actions::new();
        self.machine.advance(self.clock.now(), &mut actions);
        self.carry_out(actions);
    }

    fn tell(&mut self, event: Event) {
        let mut actions = Actions::new();
        let now: Moment = self.clock.now();
        self.machine.handle(now, event, &mut actions);
        self.carry_out(actions);
    }

    /// One order at a time: between two of them the clock is asked.
    fn read_order(&mut self) {
        match self.wire.receive::<Order>() {
            Ok(Some(packet)) => {
                match packet.message {
                    Order::Hello => self.take_lock(packet.descriptors),
                    _ => self.output = packet.descriptors,
                }
                self.tell(Event::Ordered(packet.message));
                self.output.clear();
            }
            // What can't be understood comes from nobody we know: the member is as good as gone.
            Ok(None) | Err(_) => self.tell(Event::Orphaned),
        }
    }

    /// Children inherit the lock on purpose.
    fn take_lock(&mut self, lock: Vec<OwnedFd>) {
        for copy in &lock {
            if let Err(error) = rustix::io::fcntl_setfd(copy, rustix::io::FdFlags::empty()) {
                self.reports.push_back(Report::Trouble(format!("children can't share the lock: {error}")));
            }
        }
        self.lock.extend(lock);
    }

    fn look_after_deaths(&mut self) {
        // What is in it doesn't matter: all children are asked.
        let _ = (&self.deaths).read(&mut [0; 256]);
        for (job, ending) in self.nursery.exits() {
            self.tell(Event::Exited(job, ending));
        }
        for job in self.nursery.tidy() {
            self.tell(Event::Gone(job));
        }
    }

    fn carry_out(&mut self, actions: Actions) {
        for action in actions {
            match action {
                Action::NoteAct(work) => self.noted(|records| records.act(&work)),
                Action::Start(job, work) => self.start(job, work),
                Action::Terminate(job) => self.nursery.terminate(job),
                Action::Kill(job) => self.nursery.kill(job),
                Action::Clear(job) => self.nursery.clear(job),
                Action::NoteEnd(work, reason) => self.noted(|records| records.end(&work, &reason)),
                Action::Tell(report) => self.reports.push_back(report),
                Action::End => self.over = true,
            }
        }
        self.send_reports();
    }

    fn start(&mut self, job: JobId, work: Work) {
        let output = std::mem::take(&mut self.output);
        if let Err(error) = self.nursery.start(job, work, output) {
            self.tell(Event::Unborn(job, error.to_string()));
        }
    }

    /// A history that can't be written is told; it stops nobody.
    fn noted(&mut self, write: impl FnOnce(&Records) -> io::Result<()>) {
        if let Err(error) = write(&self.records) {
            self.reports.push_back(Report::Trouble(format!("the history can't be written: {error}")));
        }
    }

    /// Sends as many as the member takes; a member that is gone needs none.
    fn send_reports(&mut self) {
        while let Some(report) = self.reports.front() {
            match self.wire.try_send(report) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(()) | Err(_) => drop(self.reports.pop_front()),
            }
        }
    }
}

/// What woke the warden, besides time.
struct Woken {
    order: bool,
    death: bool,
}
