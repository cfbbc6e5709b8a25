//! Faults strike: of the kinds that strike machines, those that the shipped library can be struck by.

use tenure::store::Hint;

use super::LibrarySim;
use super::process::SimProcess;
use super::run::Happening;
use crate::bug::OutsideFlaw;
use crate::faults::{Damage, Orders, Strike, go_on};
use crate::surroundings::ProcessNo;

/// The most processes that one seed starts before it heals.
const MOST_PROCESSES: usize = 20;

impl LibrarySim<'_> {
    /// The next fault strikes, and the one after it is set.
    pub(super) fn strike(&mut self) {
        let Some((after, strike)) = self.around.next_strike() else { return };
        self.queue.put(after, Happening::Strike);
        if let Some(strike) = strike {
            self.befall(strike);
        }
    }

    /// The store forgets, or an operator goes on recovering the cluster.
    pub(super) fn recover(&mut self) {
        if let Some(at) = go_on(self) {
            self.queue.put(at, Happening::Recover);
        }
    }

    fn befall(&mut self, strike: Strike) {
        match strike {
            Strike::Pause => self.pause_some(1, 12),
            Strike::LongPause => self.pause_some(10, 30),
            Strike::Crash => self.on_some(SimProcess::lives, Self::crash),
            Strike::Bounce => self.on_some(SimProcess::lives, Self::bounce),
            Strike::Twin => {
                self.on_some(SimProcess::lives, |sim, no| sim.begin_one(sim.processes[no].member))
            }
            Strike::Start => self.start_some(),
            Strike::Outage => self.cut(None),
            Strike::Cut => self.on_some(SimProcess::lives, |sim, no| sim.cut(Some(no))),
            Strike::Leave => self.on_some(SimProcess::runs, |sim, no| sim.processes[no].leave(false)),
            Strike::Hurry => self.on_some(SimProcess::runs, |sim, no| sim.processes[no].leave(true)),
            Strike::DeleteRecord => self.delete_record(),
            Strike::DrainRecord => self.drain_some(),
            Strike::SpoilRecord => self.spoil_record(),
            Strike::StrangeRelease => self.release_strangely(),
            Strike::SpoilPage => self.spoil_page(self.is_long_ready()),
            Strike::DeletePage => self.delete_page(self.is_long_ready()),
            Strike::TellDeath => self.tell_of_a_death(),
            Strike::StrayHint => self.on_some(SimProcess::runs, Self::hint_for_nothing),
            Strike::Move => self.move_some(),
            Strike::TakeBack => self.take_back_some(),
            Strike::Fence => self.fence_some(),
            // The library reads its clock itself; its work ends by itself often enough; what a process was told of its renewals is not
            // seen from outside; and nobody else decides here who owns what.
            Strike::ClockFault | Strike::WorkEnds | Strike::RewindRecord | Strike::Want => {}
        }
    }

    /// Does it to some process of which this is true.
    fn on_some(&mut self, wanted: impl Fn(&SimProcess) -> bool, blow: impl FnOnce(&mut Self, ProcessNo)) {
        let all = 0..self.processes.len();
        let fitting: Vec<ProcessNo> = all.filter(|no| wanted(&self.processes[*no])).collect();
        if !fitting.is_empty() {
            let no = fitting[self.around.chance.place(fitting.len())];
            blow(self, no);
        }
    }

    /// A process ends, and everything in it; some time later that may be proven.
    pub(super) fn crash(&mut self, no: ProcessNo) {
        self.note_of(no, || "is dead".into());
        self.processes[no].kill();
        self.may_be_proven(self.processes[no].process);
    }

    fn bounce(&mut self, no: ProcessNo) {
        self.crash(no);
        let after = self.around.chance.below(self.around.shape.ttl() / 4);
        self.later(after, Happening::Start(self.processes[no].member));
    }

    /// Makes a process stand still for a tenth of a ttl, times something between two bounds.
    fn pause_some(&mut self, least: u64, most: u64) {
        let tenth = self.around.shape.ttl() / 10;
        let span = self.around.chance.span((least * tenth, most * tenth));
        self.on_some(SimProcess::runs, |sim, no| {
            sim.note_of(no, || "stands still".into());
            sim.processes[no].frozen = Some(sim.around.now);
            if sim.around.mutant.is(OutsideFlaw::SilenceIsProof) {
                sim.later(1, Happening::Proven(sim.processes[no].process));
            }
            sim.later(span, Happening::Thaw(no));
        });
    }

    /// Lets a process go on; what reached it meanwhile is there.
    pub(super) fn thaw(&mut self, no: ProcessNo) {
        let now = self.around.now;
        let Some(since) = self.processes[no].frozen.take() else { return };
        self.processes[no].thawed_at = Some(now);
        self.note_of(no, || "goes on".into());
        if self.around.mutant.is(OutsideFlaw::SuspendNotCounted) {
            self.processes[no].drifting.forget(now - since);
        }
    }

    fn cut(&mut self, of: Option<ProcessNo>) {
        let number = self.queue.count() as u32;
        let at = self.around.cut(number, of);
        self.queue.put(at, Happening::Lift(number));
    }

    fn start_some(&mut self) {
        let member = self.around.chance.place(self.around.shape.members);
        if !self.is_up(member) {
            self.begin_one(member);
        }
    }

    fn begin_one(&mut self, member: usize) {
        if self.processes.len() < MOST_PROCESSES {
            self.start(member);
        }
    }

    fn tell_of_a_death(&mut self) {
        self.on_some(|process| !process.lives(), |sim, no| sim.proven(sim.processes[no].process));
    }

    fn hint_for_nothing(&mut self, no: ProcessNo) {
        self.later(0, Happening::Hinted(no, Hint::anything()));
    }

    /// Whether no write of the founding can be on its way any more: a page that is created twice is not a fault that the
    /// protocol promises to survive together with one that is deleted.
    fn is_long_ready(&self) -> bool {
        let knows = self.processes.iter().filter(|process| process.lives()).all(SimProcess::has_started);
        let around = &self.around;
        knows && around.truth.ready_at.is_some_and(|ready| around.now > ready + 6 * around.shape.ttl())
    }
}
