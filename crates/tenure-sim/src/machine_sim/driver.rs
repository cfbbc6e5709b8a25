//! What the real driver does for its machine: brings events, carries out actions in order, sets the timer.

use tenure_core::config::Config;
use tenure_core::entropy::Entropy;
use tenure_core::ids::{Epoch, Process, ShardId};
use tenure_core::member::Machine;
use tenure_core::message::{Action, Event, Fault, Grant, Notice, Outcome, Reply};
use tenure_core::moment::Moment;

use super::MachineSim;
use super::conduct::Conduct;
use super::proc::{Condition, Proc};
use super::queue::Happening;
use crate::bug::OutsideFlaw;
use crate::clock::Nanos;
use crate::faults::Habit;
use crate::promises::settles::duties;
use crate::promises::{closed_has_no_lease, earlier_ended, epochs_grow, lapsed_never_acts, single_owner};
use crate::surroundings::{ProcessNo, member_id};
use crate::words;

/// The most processes that one seed starts before it heals.
const MOST_PROCESSES: usize = 24;

impl MachineSim<'_> {
    /// Starts a process of `member`.
    pub(crate) fn start(&mut self, member: usize) {
        if self.procs.len() >= MOST_PROCESSES && !self.around.healing.has_begun() {
            return;
        }
        let no = self.procs.len();
        let proc = self.newborn(member);
        self.around.log.note(
            self.around.now,
            || proc.name.clone(),
            || format!("starts, as {:?}", proc.process),
        );
        self.procs.push(proc);
        self.tell(no, Event::Start);
        self.tell_wants(no);
        self.tell_of_the_dead(no);
    }

    fn newborn(&mut self, member: usize) -> Proc {
        let process = Process(self.around.chance.bits());
        let nth = self.procs.iter().filter(|proc| proc.member == member).count();
        let habit = self.around.shape.habit(member, nth).clone();
        let timing = habit.timing.clone();
        let config = self.config(member, process, habit);
        Proc {
            member,
            name: format!("{}/{}", config.id, nth + 1),
            process,
            timing,
            clock: self.around.shape.clock(member, self.around.now, &mut self.around.chance),
            born: self.around.now,
            machine: Machine::new(config, Entropy::new(self.around.chance.bits())),
            condition: Condition::Running,
            pending: Vec::new(),
            inbox: Vec::new(),
            works: Vec::new(),
            life: None,
            lapsed: Vec::new(),
            timer: (None, 0),
            pace: (0, 0),
            conduct: Conduct::default(),
            leaving: false,
            found: false,
        }
    }

    fn config(&self, member: usize, process: Process, habit: Habit) -> Config {
        Config {
            page_size: self.around.shape.page_size,
            ttl_max: self.around.shape.ttl_max,
            placement: self.around.shape.placement,
            spread_zones: self.around.shape.spread_zones,
            weight: habit.weight,
            zone: self.around.shape.zone(member),
            on_stuck: self.around.shape.on_stuck,
            restart: self.around.shape.restart(habit.timing.ttl),
            rules: self.around.mutant.rules(),
            ..Config::new(member_id(member), process, self.around.shape.shards, habit.timing)
        }
    }

    /// Brings what reaches a process: at once if it runs, once it runs again if it stands still, never if it is dead.
    pub(crate) fn deliver(&mut self, what: Happening) {
        let to = addressee(&what);
        match self.procs[to].condition {
            Condition::Dead => {}
            Condition::Paused { .. } => self.procs[to].inbox.push(what),
            Condition::Running => self.bring(to, what),
        }
    }

    fn bring(&mut self, to: ProcessNo, what: Happening) {
        match what {
            Happening::Answer { call, reply, .. } if self.procs[to].settle(call) => {
                let listing = self.note_answer(to, call, &reply);
                self.tell(to, Event::Reply { call, reply: *reply });
                if let Some(asked) = listing {
                    self.watch_going_on(to, asked);
                }
            }
            Happening::CallOver { call, write, .. } if self.procs[to].settle(call) => {
                let reply = Reply::Failed(self.call_over(write));
                self.note_answer(to, call, &reply);
                self.tell(to, Event::Reply { call, reply });
            }
            Happening::Timer { number, .. } if self.procs[to].timer.1 == number => self.advance(to),
            Happening::Told { event, .. } => {
                if matches!(*event, Event::Heard { .. }) {
                    self.note_heard(to);
                }
                self.tell(to, *event);
            }
            Happening::WorkEnds { run, failed, .. } => self.work_ends(to, run, failed),
            _ => {}
        }
    }

    fn call_over(&self, write: bool) -> Fault {
        let words = || "no answer in time".to_string();
        match write && !self.around.mutant.is(OutsideFlaw::TimeoutIsFailure) {
            true => Fault::Indeterminate(words()),
            false => Fault::Unavailable(words()),
        }
    }

    /// Tells the machine of process `to` what happened.
    pub(crate) fn tell(&mut self, to: ProcessNo, event: Event) {
        if !self.procs[to].runs() || self.around.violation.is_some() {
            return;
        }
        self.around.log.note(self.around.now, || self.procs[to].name.clone(), || words::event(&event));
        self.turn(to, |machine, now, out| machine.handle(now, event, out));
    }

    /// All work that ended at one time is told together, as the real driver does.
    pub(crate) fn tell_ended(&mut self, to: ProcessNo, ended: Vec<(ShardId, Epoch, Outcome)>) {
        if !self.procs[to].runs() || self.around.violation.is_some() {
            return;
        }
        for (shard, epoch, outcome) in ended.clone() {
            let event = Event::Ended { shard, epoch, outcome };
            self.around.log.note(self.around.now, || self.procs[to].name.clone(), || words::event(&event));
        }
        self.turn(to, |machine, now, out| machine.handle_ended(now, ended, out));
    }

    fn advance(&mut self, to: ProcessNo) {
        self.procs[to].timer.0 = None;
        self.turn(to, Machine::advance);
    }

    /// One turn of a machine: what it is told, what it asks for, and whether all promises hold after it.
    fn turn(&mut self, no: ProcessNo, act: impl FnOnce(&mut Machine, Moment, &mut Vec<Action>)) {
        let mut out = std::mem::take(&mut self.spare);
        let proc = &mut self.procs[no];
        let local = proc.clock.read(self.around.now);
        let before = proc.machine.lease().valid_until();
        if before != Moment::ZERO && local >= before {
            proc.note_lapse();
        }
        // As wrong as any wall clock may be: nothing depends on it.
        proc.machine.wall_clock(local.as_nanos() / 1_000_000);
        act(&mut proc.machine, local, &mut out);
        let eventful = !out.is_empty();
        for action in out.drain(..) {
            self.carry_out(no, action);
        }
        self.spare = out;
        if self.procs[no].lives() {
            let extended = self.procs[no].machine.lease().valid_until() > before;
            self.watch(no, eventful, extended);
            self.set_timer(no);
        }
    }

    fn watch(&mut self, no: ProcessNo, eventful: bool, extended: bool) {
        let opened = eventful && self.watch_opened(no);
        if opened || extended {
            let leased = self.procs[no].machine.lease().holds(self.procs[no].clock.read(self.around.now));
            if leased {
                self.judge(lapsed_never_acts::leased(self.scene(), no));
                self.judge(closed_has_no_lease::leased(self.scene(), no));
            }
            self.judge(single_owner::watch(self.scene(), no));
        }
        if eventful {
            self.judge(duties::declines(self.around.now, &self.procs[no]));
            self.note_resigned(no);
            self.procs[no].works.retain(|work| !work.is_over());
        }
    }

    /// Notes the epochs that a process has ended while it holds its lease, before it has told anybody.
    fn note_resigned(&mut self, no: ProcessNo) {
        let proc = &mut self.procs[no];
        let Some(life) = proc.life.filter(|life| !proc.lapsed.contains(life)) else { return };
        let leased = proc.is_leased(self.around.now);
        for work in proc.works.iter().filter(|work| work.is_over()) {
            let (shard, epoch) = (work.seat.shard(), work.seat.epoch());
            self.around.truth.resigned(life, shard, epoch);
            if leased {
                proc.conduct.resigned.push((shard, epoch));
            }
        }
    }

    /// Looks at seats that were opened since; whether there were any.
    fn watch_opened(&mut self, no: ProcessNo) -> bool {
        let mut any = false;
        for place in 0..self.procs[no].works.len() {
            let proc = &mut self.procs[no];
            let local = proc.clock.read(self.around.now);
            let work = &mut proc.works[place];
            if work.opened || !work.seat.holds(local) {
                continue;
            }
            work.opened = true;
            any = true;
            self.around.healing.note_served(work.seat.shard());
            self.around.truth.arrived(work.seat.shard(), work.seat.epoch());
            let (seat, life) = (work.seat.clone(), proc.life);
            let Some(life) = life.map(|number| self.around.truth.lives[number].life.clone()) else {
                continue;
            };
            self.judge(epochs_grow::opened(&self.around.truth, &seat, &life));
            self.judge(earlier_ended::opened(self.around.now, &self.around.truth, &seat, &life));
        }
        any
    }

    fn set_timer(&mut self, no: ProcessNo) {
        let proc = &mut self.procs[no];
        let Some(deadline) = proc.machine.deadline() else { return };
        if proc.timer.0 == Some(deadline) {
            return;
        }
        proc.timer = (Some(deadline), proc.timer.1 + 1);
        let (due, number) = (proc.clock.when(deadline).max(self.around.now), proc.timer.1);
        let at = due + self.around.chance.below(self.around.faults.timer_lag);
        self.queue.put(at, Happening::Timer { to: no, number });
    }

    fn carry_out(&mut self, no: ProcessNo, action: Action) {
        self.around.log.note(self.around.now, || self.procs[no].name.clone(), || words::action(&action));
        match action {
            Action::Call { call, request } => self.send(no, call, request),
            Action::Warm(seat) => {
                self.procs[no].work_of(seat);
            }
            Action::Act(seat) => self.work_starts(no, seat),
            Action::Drain { seat, .. } => self.work_drains(no, &seat),
            Action::Resume(seat) => self.work_resumes(no, &seat),
            Action::Interrupt(seat) => self.work_is_interrupted(no, &seat),
            Action::Cool(seat) => self.work_cools(no, &seat),
            Action::Grant(grant) => self.grant(no, grant),
            Action::Abort(_) => self.kill(no, "its watchdog aborted it"),
            Action::Notice(notice) => self.hear(no, notice),
            Action::End(_) => {
                self.reprove(duties::ends(&self.procs[no]));
                self.kill(no, "it ended");
            }
        }
    }

    fn hear(&mut self, no: ProcessNo, notice: Notice) {
        self.note_lease(no, &notice);
        match notice {
            Notice::Joined(life) => {
                self.procs[no].life = self.around.truth.find(&life);
                self.judge(lapsed_never_acts::joined(self.scene(), no));
            }
            Notice::Lapsed { .. } => {
                self.procs[no].note_lapse();
                self.judge(lapsed_never_acts::detached(self.scene(), no));
            }
            Notice::Found { .. } => self.procs[no].found = true,
            _ => {}
        }
    }

    fn grant(&mut self, no: ProcessNo, grant: Grant) {
        self.judge(earlier_ended::said_ended(
            self.around.now,
            &self.procs[no],
            grant.shard,
            grant.owner_epoch,
        ));
        self.around.truth.granted(&grant.owner, grant.shard, grant.owner_epoch);
        self.send_grant(grant);
    }

    /// Ends a process, and everything in it.
    pub(crate) fn kill(&mut self, no: ProcessNo, how: &str) {
        let proc = &mut self.procs[no];
        if !proc.lives() {
            return;
        }
        proc.condition = Condition::Dead;
        proc.works.clear();
        proc.inbox.clear();
        let (name, process) = (proc.name.clone(), proc.process);
        self.around.note(&name, || format!("is dead: {how}"));
        self.dead.push(process);
        self.spread_the_word(process);
    }

    /// Makes a process stand still until `until`.
    pub(crate) fn pause(&mut self, no: ProcessNo, until: Nanos) {
        if self.procs[no].runs() {
            self.procs[no].condition = Condition::Paused { since: self.around.now };
            self.around.log.note(self.around.now, || self.procs[no].name.clone(), || "stands still".into());
            self.queue.put(until, Happening::Thaw(no));
        }
    }

    /// Lets a process that stands still go on; what reached it meanwhile comes now.
    pub(crate) fn thaw(&mut self, no: ProcessNo) {
        let Condition::Paused { since } = self.procs[no].condition else { return };
        let proc = &mut self.procs[no];
        proc.condition = Condition::Running;
        if self.around.mutant.is(OutsideFlaw::SuspendNotCounted) {
            proc.clock.forget(self.around.now - since);
            proc.timer.0 = None;
        }
        self.around.log.note(self.around.now, || self.procs[no].name.clone(), || "goes on".into());
        for what in std::mem::take(&mut self.procs[no].inbox) {
            self.deliver(what);
        }
        if self.around.mutant.is(OutsideFlaw::SuspendNotCounted) && self.procs[no].runs() {
            self.set_timer(no);
        }
    }
}

fn addressee(what: &Happening) -> ProcessNo {
    match what {
        Happening::Answer { to, .. }
        | Happening::CallOver { to, .. }
        | Happening::Timer { to, .. }
        | Happening::Told { to, .. }
        | Happening::WorkEnds { on: to, .. } => *to,
        other => unreachable!("{other:?} is not for a process"),
    }
}

/// How a run of work ended.
pub(crate) fn outcome(failed: bool) -> Outcome {
    if failed { Outcome::Failed("the seed wants it".into()) } else { Outcome::Done }
}
