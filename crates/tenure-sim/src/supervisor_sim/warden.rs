//! The warden: a small driver around its machine.

use std::collections::BTreeSet;
use std::time::Duration;

use tenure_core::moment::Moment;
use tenure_core::warden::{Action, Actions, Ending, Event, JobId, Machine, Term};

use super::flaw::HelperFlaw;
use super::kernel::{Kernel, Kid, Parent, Slate, State, Who};

/// What the warden knows.
#[derive(Debug)]
pub(super) struct Warden {
    machine: Machine,
    beat: Duration,
    next: Moment,
    orphaned: bool,
    clearing: BTreeSet<JobId>,
    ending: bool,
}

impl Warden {
    pub(super) fn new(allowance: Duration, beat: Duration) -> Self {
        let (machine, clearing) = (Machine::new(allowance), BTreeSet::new());
        Self { machine, beat, next: Moment::ZERO, orphaned: false, clearing, ending: false }
    }

    /// One turn.
    pub(super) fn turn(&mut self, kernel: &mut Kernel, slate: &mut Slate) {
        if self.ending {
            return self.end(kernel);
        }
        if kernel.now >= self.next {
            slate.warden_pulse = kernel.now.as_nanos();
            self.next = kernel.now + self.beat;
        }
        self.read(kernel, slate);
        while let Some(order) = slate.orders.pop_front() {
            self.tell(kernel, slate, Event::Ordered(order));
        }
        if !kernel.task(Who::Member).alive && !self.orphaned {
            self.orphaned = true;
            self.tell(kernel, slate, Event::Orphaned);
        }
        self.look_after_deaths(kernel, slate);
        let guarded = slate.guard.is_some() || kernel.has(HelperFlaw::GuardNotAsked);
        let mut actions = Actions::new();
        self.machine.begin(kernel.now, guarded, &mut actions);
        self.carry_out(kernel, slate, actions);
    }

    fn read(&mut self, kernel: &mut Kernel, slate: &mut Slate) {
        let life = if kernel.has(HelperFlaw::LivesNotTold) { 1 } else { slate.term.life };
        let mut actions = Actions::new();
        self.machine.lease(kernel.now, Term { life, ..slate.term }, &mut actions);
        self.carry_out(kernel, slate, actions);
    }

    fn tell(&mut self, kernel: &mut Kernel, slate: &mut Slate, event: Event) {
        let mut actions = Actions::new();
        self.machine.handle(kernel.now, event, &mut actions);
        self.carry_out(kernel, slate, actions);
    }

    fn look_after_deaths(&mut self, kernel: &mut Kernel, slate: &mut Slate) {
        let dead = |kid: &&mut Kid| kid.leader && kid.state == State::Dead && !kid.reaped;
        let jobs: Vec<JobId> = kernel.kids.iter_mut().filter(dead).map(reap).collect();
        for job in jobs {
            self.tell(kernel, slate, Event::Exited(job, Ending::Signalled(9)));
        }
        for job in self.clearing.clone() {
            let left = kernel.living(|kid| kid.job == job);
            if left.is_empty() || kernel.has(HelperFlaw::EarlyEnd) {
                self.clearing.remove(&job);
                self.tell(kernel, slate, Event::Gone(job));
                continue;
            }
            left.into_iter().for_each(|kid| kernel.kill_kid(kid));
        }
    }

    fn carry_out(&mut self, kernel: &mut Kernel, slate: &mut Slate, actions: Actions) {
        for action in actions {
            match action {
                Action::Start(job, _) => self.start(kernel, job),
                // One that is asked politely may take its time; it is killed when that is over.
                Action::Terminate(job) | Action::Kill(job) => {
                    for kid in kernel.living(|kid| kid.job == job && kid.leader) {
                        kernel.kill_kid(kid);
                    }
                }
                Action::Clear(job) => drop(self.clearing.insert(job)),
                Action::Tell(report) => slate.reports.push_back(report),
                Action::End => self.ending = true,
                Action::NoteAct(_) | Action::NoteEnd(..) => {}
            }
        }
    }

    fn start(&self, kernel: &mut Kernel, job: JobId) {
        let (state, parent) = (State::Nascent(kernel.soon()), Parent::Ours(Who::Warden));
        let life = self.machine.life();
        kernel.kids.push(Kid { job, life, leader: true, state, parent, reaped: false });
    }

    fn end(&self, kernel: &mut Kernel) {
        let left = kernel.living(|kid| kid.parent == Parent::Ours(Who::Warden));
        if left.is_empty() {
            kernel.exit(Who::Warden);
        }
        left.into_iter().for_each(|kid| kernel.kill_kid(kid));
    }
}

fn reap(kid: &mut Kid) -> JobId {
    kid.reaped = true;
    kid.job
}
