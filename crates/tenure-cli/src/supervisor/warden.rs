//! The warden: sleeps until something happens, asks the machine, does what it says.
//!
//! One thread does all of it. The kernel's death signal comes when the *thread* that started a child ends, so that thread must
//! be the process; and nothing here may wait for anybody: a member that doesn't read its reports must not delay the deadline.
//! Time comes first, then orders and ends, and last of all one start: a thousand of them hold nothing up.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tenure::clock::Clock;
use tenure_core::warden::{Action, Actions, Event, JobId, Machine, Order, Report, Work};

use super::alarm::Alarm;
use super::children::Children;
use super::records::Records;
use super::slate::{Helper, Slate};
use super::tree;
use super::wire::{Packet, Wire};

/// The pause between two looks at what no event tells: jobs that are being cleared, and a guard that is not set yet.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// No pause: something can be done at once.
const NONE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// So many orders are read before the children are looked after again.
const ORDERS: usize = 256;

/// The warden's process.
#[derive(Debug)]
pub(super) struct Warden {
    machine: Machine,
    children: Children,
    records: Records,
    wire: Wire,
    orphaned: bool,
    slate: Slate,
    /// Readable when a child has ended.
    deaths: UnixStream,
    beat: Duration,
    alarm: Alarm,
    clock: Clock,
    /// Where the output of jobs that wait will go.
    outputs: BTreeMap<JobId, Vec<OwnedFd>>,
    reports: VecDeque<Report>,
    over: bool,
}

impl Warden {
    pub(super) fn new(
        machine: Machine,
        children: Children,
        records: Records,
        wire: Wire,
        slate: Slate,
        deaths: UnixStream,
        beat: Duration,
    ) -> io::Result<Self> {
        let (alarm, clock, outputs, reports) =
            (Alarm::new()?, Clock::boot(), BTreeMap::new(), VecDeque::new());
        let (orphaned, over) = (false, false);
        Ok(Self {
            machine,
            children,
            records,
            wire,
            orphaned,
            slate,
            deaths,
            beat,
            alarm,
            clock,
            outputs,
            reports,
            over,
        })
    }

    /// Serves until the member is gone and nothing of it lives.
    pub(super) fn run(mut self) -> io::Result<()> {
        while !self.over {
            self.slate.beat(Helper::Warden, self.clock.now())?;
            let woken = self.wait()?;
            self.advance();
            self.send_reports();
            if woken.order {
                self.read_orders();
            }
            if woken.death || self.children.is_clearing() {
                self.look_after_deaths();
            }
            self.begin();
        }
        tree::sweep();
        Ok(())
    }

    fn wait(&mut self) -> io::Result<Woken> {
        let beat = self.clock.now() + self.beat;
        self.alarm.set(Some(self.machine.deadline().map_or(beat, |end| end.min(beat))))?;
        let wanted = if self.reports.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
        let mut fds = [
            PollFd::new(&self.deaths, PollFlags::IN),
            PollFd::new(&self.alarm, PollFlags::IN),
            PollFd::new(&self.wire, wanted),
        ];
        // A wire without its other end is always ready; it has nothing more to say.
        let count = if self.orphaned { 2 } else { 3 };
        match poll(&mut fds[..count], self.pause()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let happened =
            |fd: &PollFd<'_>| fd.revents().intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR);
        Ok(Woken { order: happened(&fds[2]), death: happened(&fds[0]) })
    }

    /// How long to wait at most for something that is told.
    fn pause(&self) -> Option<&'static Timespec> {
        if self.machine.is_waiting() && self.slate.is_guarded() {
            return Some(&NONE);
        }
        (self.machine.is_waiting() || self.children.is_clearing()).then_some(&TICK)
    }

    /// Nothing is concluded before the slate was read.
    fn advance(&mut self) {
        let mut actions = Actions::new();
        self.machine.lease(self.clock.now(), self.slate.term(), &mut actions);
        self.carry_out(actions);
    }

    fn tell(&mut self, event: Event) {
        self.advance();
        let mut actions = Actions::new();
        self.machine.handle(self.clock.now(), event, &mut actions);
        self.carry_out(actions);
    }

    /// Begins one of the jobs that wait.
    fn begin(&mut self) {
        self.advance();
        let (mut actions, guarded) = (Actions::new(), self.slate.is_guarded());
        self.machine.begin(self.clock.now(), guarded, &mut actions);
        self.carry_out(actions);
    }

    fn read_orders(&mut self) {
        for _ in 0..ORDERS {
            match self.wire.try_receive::<Order>() {
                Ok(Some(packet)) => self.obey(packet),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // What can't be understood does not come from the member: it is as good as gone.
                Ok(None) | Err(_) => {
                    self.orphaned = true;
                    return self.tell(Event::Orphaned);
                }
            }
        }
    }

    fn obey(&mut self, packet: Packet<Order>) {
        if let Order::Start(job, ..) = packet.message {
            self.outputs.insert(job, packet.descriptors);
        }
        self.tell(Event::Ordered(packet.message));
    }

    fn look_after_deaths(&mut self) {
        // What is in it doesn't matter: all children are asked.
        let _ = (&self.deaths).read(&mut [0; 256]);
        for (job, ending) in self.children.exits() {
            self.tell(Event::Exited(job, ending));
        }
        for job in self.children.tidy() {
            self.tell(Event::Gone(job));
        }
    }

    fn carry_out(&mut self, actions: Actions) {
        for action in actions {
            match action {
                Action::NoteAct(work) => self.noted(|records| records.act(&work)),
                Action::Start(job, work) => self.start(job, work),
                Action::Terminate(job) => self.children.terminate(job),
                Action::Kill(job) => self.children.kill(job),
                Action::Clear(job) => self.children.clear(job),
                Action::NoteEnd(work, reason) => self.noted(|records| records.end(&work, &reason)),
                Action::Tell(report) => self.report(report),
                Action::End => self.over = true,
            }
        }
        self.send_reports();
    }

    fn start(&mut self, job: JobId, work: Work) {
        let output = self.outputs.remove(&job).unwrap_or_default();
        let begun = self.slate.share().and_then(|slate| {
            let life = self.machine.life();
            self.children.start(job, life, work, slate, output)
        });
        if let Err(error) = begun {
            self.tell(Event::Unborn(job, error.to_string()));
        }
    }

    fn report(&mut self, report: Report) {
        if let Report::Ended(job, _) = &report {
            self.outputs.remove(job);
        }
        self.reports.push_back(report);
    }

    /// A history that can't be written is told; work goes on.
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
