//! Faults strike: one at a time, of the kinds and as often as the seed draws them.
use tenure_core::message::Event;

use super::queue::Happening;
use super::{MachineSim, Proc};
use crate::bug::OutsideFlaw;
use crate::faults::{Damage, Orders, Strike, go_on};
use crate::surroundings::ProcessNo;
use crate::surroundings::member_id;

impl MachineSim<'_> {
    /// The next fault strikes, and the one after it is set.
    pub(crate) fn strike(&mut self) {
        let Some((after, strike)) = self.around.next_strike() else { return };
        self.queue.put(after, Happening::Strike);
        if let Some(strike) = strike {
            self.befall(strike);
        }
    }

    /// The store forgets, or an operator goes on recovering the cluster.
    pub(crate) fn recover(&mut self) {
        if let Some(at) = go_on(self) {
            self.queue.put(at, Happening::Recover);
        }
    }

    fn befall(&mut self, strike: Strike) {
        match strike {
            Strike::Pause => self.pause_some(1, 12),
            Strike::LongPause => self.pause_some(10, 30),
            Strike::Crash => self.crash_some(),
            Strike::Bounce => self.bounce_some(),
            Strike::Twin => self.start_twin(),
            Strike::Start => self.start_some(),
            Strike::Outage => self.cut(None),
            Strike::Cut => self.cut_some(),
            Strike::Leave => self.ask_to_leave(),
            Strike::Hurry => self.ask_to_hurry(),
            Strike::DeleteRecord => self.delete_record(),
            Strike::DrainRecord => self.drain_some(),
            Strike::SpoilRecord => self.spoil_record(),
            Strike::RewindRecord => self.rewind_some(),
            Strike::StrangeRelease => self.release_strangely(),
            Strike::SpoilPage => self.spoil_page(self.is_long_ready()),
            Strike::DeletePage => self.delete_page(self.is_long_ready()),
            Strike::ClockFault => self.distrust_a_clock(),
            Strike::TellDeath => self.tell_of_a_death(),
            Strike::StrayHint => self.hint_for_nothing(),
            Strike::WorkEnds => self.end_some_work(),
            Strike::Want => self.want_otherwise(),
            Strike::Move => self.move_some(),
            Strike::TakeBack => self.take_back_some(),
            Strike::Fence => self.fence_some(),
        }
    }

    /// Some process of which this is true.
    pub(crate) fn some(&mut self, wanted: impl Fn(&Proc) -> bool) -> Option<ProcessNo> {
        let count = self.procs.iter().filter(|proc| wanted(proc)).count();
        let nth = self.around.chance.place(count);
        let mut fitting = self.procs.iter().enumerate().filter(|(_, proc)| wanted(proc));
        fitting.nth(nth).map(|(no, _)| no)
    }

    /// Makes a process stand still for a tenth of a ttl, times something between two bounds.
    fn pause_some(&mut self, least: u64, most: u64) {
        let Some(no) = self.some(Proc::runs) else { return };
        let tenth = self.around.shape.ttl() / 10;
        let until = self.around.now + self.around.chance.span((least * tenth, most * tenth));
        if self.around.mutant.is(OutsideFlaw::SilenceIsProof) {
            self.spread_the_word(self.procs[no].process);
        }
        self.pause(no, until);
    }

    fn crash_some(&mut self) {
        if let Some(no) = self.some(Proc::lives) {
            self.kill(no, "it crashed");
        }
    }

    fn bounce_some(&mut self) {
        let Some(no) = self.some(Proc::lives) else { return };
        self.kill(no, "it crashed");
        let at = self.around.now + self.around.chance.below(self.around.shape.ttl() / 4);
        self.queue.put(at, Happening::Begin { member: self.procs[no].member });
    }

    fn start_twin(&mut self) {
        if let Some(no) = self.some(Proc::lives) {
            self.start(self.procs[no].member);
        }
    }

    fn start_some(&mut self) {
        let member = self.around.chance.place(self.around.shape.members);
        if !self.is_up(member) {
            self.start(member);
        }
    }

    /// Whether a process of `member` lives.
    pub(crate) fn is_up(&self, member: usize) -> bool {
        self.procs.iter().any(|proc| proc.member == member && proc.lives())
    }

    fn cut_some(&mut self) {
        if let Some(no) = self.some(Proc::lives) {
            self.cut(Some(no));
        }
    }

    fn cut(&mut self, of: Option<ProcessNo>) {
        let number = self.queue.count() as u32;
        let at = self.around.cut(number, of);
        self.queue.put(at, Happening::Lift(number));
    }

    fn ask_to_leave(&mut self) {
        if let Some(no) = self.some(Proc::runs) {
            self.procs[no].leaving = true;
            self.tell(no, Event::Leave);
        }
    }

    fn ask_to_hurry(&mut self) {
        if let Some(no) = self.some(|proc| proc.runs() && proc.leaving) {
            self.tell(no, Event::Hurry);
        }
    }

    fn distrust_a_clock(&mut self) {
        if let Some(no) = self.some(Proc::runs) {
            self.tell(no, Event::ClockFault("the seed wants it".into()));
        }
    }

    fn tell_of_a_death(&mut self) {
        if let Some(no) = self.some(Proc::runs).filter(|_| !self.dead.is_empty()) {
            let dead = self.dead[self.around.chance.place(self.dead.len())];
            self.tell(no, Event::Died(dead));
        }
    }

    fn hint_for_nothing(&mut self) {
        if let Some(no) = self.some(Proc::runs) {
            self.tell(no, Event::Hint(None));
        }
    }

    fn end_some_work(&mut self) {
        let Some(no) = self.some(|proc| proc.runs() && !proc.works.is_empty()) else { return };
        let place = self.around.chance.place(self.procs[no].works.len());
        let failed = self.around.chance.in_10k(5_000);
        let work = &mut self.procs[no].works[place];
        work.content |= !failed && work.is_running();
        let run = work.run;
        self.work_ends(no, run, failed);
    }

    fn want_otherwise(&mut self) {
        self.wants_turn += 1;
        self.tell_all_wants();
    }

    fn rewind_some(&mut self) {
        let Some(no) = self.some(|proc| proc.runs() && proc.machine.incarnation().is_some()) else { return };
        let proc = &self.procs[no];
        let (id, process, known) = (member_id(proc.member), proc.process, proc.conduct.stored_seq);
        self.rewind_record(&id, process, known);
    }

    /// Whether no write of the founding can be on its way any more: a page that is created twice is not a fault that the
    /// protocol promises to survive together with one that is deleted.
    fn is_long_ready(&self) -> bool {
        let knows = self.procs.iter().filter(|proc| proc.lives()).all(|proc| proc.found);
        let around = &self.around;
        knows && around.truth.ready_at.is_some_and(|ready| around.now > ready + 6 * around.shape.ttl())
    }
}
