//! How work behaves: when it starts, fails, drains, lingers, or never ends.

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, ShardId};
use tenure_core::message::{Event, Outcome};

use super::MachineSim;
use super::driver::outcome;
use super::queue::Happening;
use super::work::{Work, WorkStage};
use crate::clock::Nanos;
use crate::promises::settles::service;
use crate::surroundings::ProcessNo;

impl MachineSim<'_> {
    /// The machine wants the seat's work to run.
    pub(crate) fn work_starts(&mut self, no: ProcessNo, seat: Seat) {
        self.runs += 1;
        let run = self.runs;
        let endless = self.around.chance.in_10k(self.around.faults.work.endless);
        let work = self.procs[no].work_of(seat);
        *work = Work {
            phase: WorkStage::Running,
            run,
            endless,
            opened: work.opened,
            ..Work::new(work.seat.clone())
        };
        if self.around.chance.in_10k(self.around.faults.work.fails) {
            self.ends_after(no, run, self.around.shape.ttl() / 100, true);
        }
    }

    /// The machine wants the seat's work to finish.
    pub(crate) fn work_drains(&mut self, no: ProcessNo, seat: &Seat) {
        let Some((run, endless)) = self.enter(no, seat, WorkStage::Draining) else { return };
        if endless || self.around.chance.in_10k(self.around.faults.work.ignores_drain) {
            return;
        }
        let ttl = self.around.shape.ttl();
        let lingers = self.around.chance.in_10k(self.around.faults.work.lingers);
        self.ends_after(no, run, if lingers { 2 * ttl } else { ttl / 50 }, false);
    }

    /// The machine wants the seat's work to go on after all. It may have been about to end.
    pub(crate) fn work_resumes(&mut self, no: ProcessNo, seat: &Seat) {
        self.runs += 1;
        let run = self.runs;
        let goes_on = self.around.chance.in_10k(5_000);
        let works = self.procs[no].works.iter_mut();
        let drained = works.filter(|work| work.phase == WorkStage::Draining);
        for work in drained.filter(|work| work.is(seat.shard(), seat.epoch())) {
            (work.phase, work.recalled) = (WorkStage::Running, true);
            if goes_on {
                work.run = run;
            }
        }
    }

    /// The machine wants the seat's work to end. The driver answers for work that does not run, too.
    pub(crate) fn work_is_interrupted(&mut self, no: ProcessNo, seat: &Seat) {
        let Some((run, endless)) = self.enter(no, seat, WorkStage::Interrupted) else {
            let event = Event::Ended { shard: seat.shard(), epoch: seat.epoch(), outcome: outcome(false) };
            self.queue.put(self.around.now, Happening::Told { to: no, event: Box::new(event) });
            return;
        };
        if !endless {
            self.ends_after(no, run, self.around.shape.ttl() / 100, false);
        }
    }

    /// The machine wants what was warmed to be dropped.
    pub(crate) fn work_cools(&mut self, no: ProcessNo, seat: &Seat) {
        let proc = &mut self.procs[no];
        if proc.is_leased(self.around.now) {
            proc.conduct.resigned.push((seat.shard(), seat.epoch()));
            // It may be promised the shard anew, and name itself, before anybody else reads that it gave this epoch back.
            let life = proc.life.filter(|_| seat.closed());
            life.into_iter().for_each(|life| self.around.truth.resigned(life, seat.shard(), seat.epoch()));
        }
        let works = &mut proc.works;
        works.retain(|work| !work.is(seat.shard(), seat.epoch()) || work.is_running() || !work.seat.closed());
    }

    /// A run of work has ended; the driver tells its machine.
    pub(crate) fn work_ends(&mut self, no: ProcessNo, run: u64, failed: bool) {
        let works = self.procs[no].works.iter_mut();
        let Some(work) = works.filter(|work| work.is_running()).find(|work| work.run == run) else { return };
        let recalled =
            (work.recalled && work.phase == WorkStage::Running && !failed).then(|| work.seat.clone());
        work.phase = WorkStage::Idle;
        let mut ended = vec![(work.seat.shard(), work.seat.epoch(), outcome(failed))];
        if self.around.chance.in_10k(3_000) {
            ended.extend(self.others_end(no));
        }
        self.tell_ended(no, ended);
        self.judge(recalled.map_or(Ok(()), |seat| service::goes_on(&self.procs[no], &seat)));
    }

    /// Whatever else was asked to end does so at the same time.
    fn others_end(&mut self, no: ProcessNo) -> Vec<(ShardId, Epoch, Outcome)> {
        let asked = |work: &&mut Work| {
            matches!(work.phase, WorkStage::Draining | WorkStage::Interrupted) && !work.endless
        };
        let others = self.procs[no].works.iter_mut().filter(asked);
        let end = |work: &mut Work| {
            work.phase = WorkStage::Idle;
            (work.seat.shard(), work.seat.epoch(), outcome(false))
        };
        others.map(end).collect()
    }

    /// Lets all work that would not end do so, soon.
    pub(crate) fn work_is_tamed(&mut self) {
        for no in 0..self.procs.len() {
            for place in 0..self.procs[no].works.len() {
                let work = &mut self.procs[no].works[place];
                let waits = std::mem::take(&mut work.endless) && work.phase != WorkStage::Running;
                let (run, draining) = (work.run, work.phase == WorkStage::Draining);
                if waits || draining {
                    self.ends_after(no, run, self.around.shape.ttl() / 50, false);
                }
            }
        }
    }

    fn enter(&mut self, no: ProcessNo, seat: &Seat, phase: WorkStage) -> Option<(u64, bool)> {
        let works = self.procs[no].works.iter_mut();
        let work = works.filter(|work| work.is_running()).find(|work| work.is(seat.shard(), seat.epoch()))?;
        work.phase = phase;
        Some((work.run, work.endless))
    }

    pub(crate) fn ends_after(&mut self, no: ProcessNo, run: u64, most: Nanos, failed: bool) {
        let at = self.around.now + self.around.chance.below(most);
        self.queue.put(at, Happening::WorkEnds { on: no, run, failed });
    }
}
