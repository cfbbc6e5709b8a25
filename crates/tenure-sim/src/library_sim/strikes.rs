//! Faults, and their end.

use tenure_core::ids::Process;

use super::faults::Strike;
use super::run::{Happening, LibrarySim};
use crate::bug::OutsideFlaw;
use crate::clock::Nanos;
use crate::surroundings::member_id;

/// The most processes that one seed starts before it heals.
const MOST_PROCESSES: usize = 20;

impl LibrarySim<'_> {
    /// Something goes wrong; the next thing will, too.
    pub(super) fn strike(&mut self) {
        if self.healed_at.is_some() {
            return;
        }
        let pause = self.chance.span((self.faults.calm / 4, self.faults.calm));
        self.later(pause, Happening::Strike);
        let Some(strike) = self.chance.weighed(&self.faults.strikes) else { return };
        self.note("fault", || format!("{strike:?}"));
        self.hit(strike);
    }

    fn hit(&mut self, strike: Strike) {
        let ttl = self.faults.ttl;
        match strike {
            Strike::Crash => self.any(Self::crash),
            Strike::Freeze => self.any(|sim, no| sim.freeze(no, (ttl / 100, ttl / 2))),
            Strike::LongFreeze => self.any(|sim, no| sim.freeze(no, (ttl / 2, ttl * 3))),
            Strike::Leave => self.any(|sim, no| sim.processes[no].leave(false)),
            Strike::Hurry => self.any(|sim, no| sim.processes[no].leave(true)),
            Strike::Start => self.start_one_that_is_down(),
            Strike::Twin => self.twin(),
            Strike::Drain => self.drain_some(),
            Strike::Move => self.move_some(),
            Strike::Fence => self.fence_some(),
            Strike::Delete => self.delete_some(),
            Strike::Cut => self.any(|sim, no| sim.cut(no, ttl * 2)),
            Strike::Outage => {
                let until = self.now + self.chance.span((ttl / 10, ttl * 2));
                self.processes.iter_mut().for_each(|process| process.cut_until = until);
            }
        }
    }

    /// Does it to some process that runs.
    fn any(&mut self, blow: impl FnOnce(&mut Self, usize)) {
        let running: Vec<usize> = (0..self.processes.len()).filter(|no| self.processes[*no].runs()).collect();
        if !running.is_empty() {
            let no = running[self.chance.place(running.len())];
            blow(self, no);
        }
    }

    /// A process ends, and everything in it; some time later that may be proven.
    pub(super) fn crash(&mut self, no: usize) {
        self.note_of(no, || "is dead".into());
        self.processes[no].kill();
        let at = self.chance.below(self.faults.ttl / 10);
        self.later(at, Happening::Proven(self.processes[no].process));
    }

    fn freeze(&mut self, no: usize, span: (Nanos, Nanos)) {
        let span = self.chance.span(span);
        self.note_of(no, || "stands still".into());
        self.processes[no].frozen = Some(self.now);
        if self.mutant.is(OutsideFlaw::SilenceIsProof) {
            self.later(1, Happening::Proven(self.processes[no].process));
        }
        self.later(span, Happening::Thaw(no));
    }

    /// Lets a process go on; what reached it meanwhile is there.
    pub(super) fn thaw(&mut self, no: usize) {
        let Some(since) = self.processes[no].frozen.take() else { return };
        self.processes[no].thawed_at = Some(self.now);
        self.note_of(no, || "goes on".into());
        if self.mutant.is(OutsideFlaw::SuspendNotCounted) {
            self.processes[no].drifting.forget(self.now - since);
        }
    }

    fn cut(&mut self, no: usize, most: Nanos) {
        self.processes[no].cut_until = self.now + self.chance.span((most / 10, most));
    }

    fn twin(&mut self) {
        let member = self.chance.place(self.faults.members);
        self.start_before(MOST_PROCESSES, member);
    }

    fn start_one_that_is_down(&mut self) {
        if let Some(member) = (0..self.faults.members).find(|member| !self.is_up(*member)) {
            self.start_before(MOST_PROCESSES, member);
        }
    }

    fn start_before(&mut self, most: usize, member: usize) {
        if self.processes.len() < most {
            self.start(member);
        }
    }

    /// A witness tells of a death.
    pub(super) fn proven(&mut self, process: Process) {
        self.dead.send_modify(|dead| {
            dead.insert(process);
        });
    }

    /// All faults stop. Whoever was leaving makes room, and so does one that waits for its first answer: a start is patient
    /// with its store, for longer than a lease may last.
    pub(super) fn heal(&mut self) {
        self.note("fault", || "all faults stop".into());
        self.healed_at = Some(self.now);
        self.faults.clear();
        self.with.manners.change(self.faults.manner);
        for no in 0..self.processes.len() {
            self.thaw(no);
            self.processes[no].cut_until = 0;
            if self.processes[no].is_half_there() {
                self.crash(no);
            }
        }
        self.keep_one_drained();
        self.drain_as_wanted();
        self.restart_members();
        self.later(self.faults.ttl / 10, Happening::Whole);
    }

    /// Most members that do not run start again; one at least runs.
    fn restart_members(&mut self) {
        for member in 0..self.faults.members {
            if !self.is_up(member) && self.chance.in_10k(7_000) {
                self.start(member);
            }
        }
        let fit = |member: &usize| self.drained != Some(member_id(*member));
        let fit: Vec<usize> = (0..self.faults.members).filter(fit).collect();
        if !fit.iter().any(|member| self.is_up(*member)) {
            self.start(fit[0]);
        }
    }
}
