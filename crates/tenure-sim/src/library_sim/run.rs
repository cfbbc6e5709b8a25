//! Turns everything, moment by moment.

use std::collections::BTreeSet;

use tenure::OnStuck;
use tenure::store::{Hint, Read, StoreError, StoreErrorKind, Written};
use tenure_core::ids::{MemberId, Process};
use tenure_core::message::Versioned;
use tokio::sync::watch;

use super::bench::{Book, Manners};
use super::depot::{Answer, Ask, Depot};
use super::faults::FaultProfile;
use super::judge::Judge;
use super::line::{Asker, Call, Graves, Outbox};
use super::process::{Birth, Puppeteer, Surroundings};
use crate::bug::{Mutant, OutsideFlaw};
use crate::chance::Chance;
use crate::clock::Nanos;
use crate::log::Log;
use crate::promises::{Verdict, Violation};
use crate::queue::Queue;
use crate::surroundings::member_id;
use crate::words;

/// For how many ttl faults strike, at most.
const STORMY: u64 = 25;

/// Within how many ttl, once everything is whole, every shard must have an owner.
const BOUND: u64 = 2;

/// Within how many ttl after that whoever is drained must have handed everything on.
const DRAINED: u64 = 6;

/// What happens at a moment.
#[derive(Debug)]
pub(super) enum Happening {
    Start(usize),
    /// With the moment at which it was sent.
    Arrives(Call, Nanos),
    Answered(Asker, Result<Answer, StoreError>),
    Hinted(usize, Hint),
    Proven(Process),
    Strike,
    Thaw(usize),
    Heal,
    Whole,
    Judged,
    /// The operator sees to it that nobody is drained who should not be.
    Undrain,
    /// Whoever is drained has had time to hand everything on.
    Drained,
}

/// One seed's cluster.
#[derive(Debug)]
pub(super) struct LibrarySim<'a> {
    pub(super) now: Nanos,
    pub(super) chance: Chance,
    pub(super) faults: FaultProfile,
    pub(super) processes: Vec<Puppeteer>,
    pub(super) dead: watch::Sender<BTreeSet<Process>>,
    /// When faults stopped.
    pub(super) healed_at: Option<Nanos>,
    /// Whether an operator deleted a record: its life is closed only after the longest lease.
    pub(super) deleted: bool,
    /// The member that stays drained.
    pub(super) drained: Option<MemberId>,
    queue: Queue<Happening>,
    pub(super) depot: Depot,
    judge: Judge,
    pub(super) with: Surroundings,
    pub(super) mutant: Mutant,
    violation: Option<Violation>,
    over: bool,
    log: &'a mut Log,
}

impl<'a> LibrarySim<'a> {
    /// The cluster of `seed`, before anything has happened.
    pub(super) fn new(seed: u64, mutant: Mutant, log: &'a mut Log) -> Self {
        let mut chance = Chance::new(seed);
        let faults = FaultProfile::draw(&mut chance);
        let dead = watch::Sender::new(BTreeSet::new());
        let graves = faults.proofs.then(|| Graves(dead.subscribe()));
        let manners = Manners::new(faults.manner);
        let with = Surroundings { outbox: Outbox::default(), book: Book::default(), manners, graves };
        let judge = Judge::new(faults.shards);
        Self {
            now: 0,
            chance,
            faults,
            processes: Vec::new(),
            dead,
            healed_at: None,
            deleted: false,
            drained: None,
            queue: Queue::new(),
            depot: Depot::new(mutant.is(OutsideFlaw::UnconditionalStore)),
            judge,
            with,
            mutant,
            violation: None,
            over: false,
            log,
        }
    }

    /// From the first start to the verdict.
    pub(super) fn run(mut self) -> Option<Violation> {
        self.set_the_scene();
        while !self.over && self.violation.is_none() {
            let Some(now) = self.next_moment() else { break };
            self.pass_to(now);
            self.let_happen();
            self.turn_all();
            let verdict = self.judge.look(&self.with.book);
            self.judged(verdict);
            self.judged(self.nobody_outlives_its_shard());
        }
        self.violation
    }

    /// Where the watchdog is on: once somebody acts for a shard, nothing of an earlier epoch is left elsewhere. What stood still
    /// may be, for as long as interrupted work is given.
    fn nobody_outlives_its_shard(&self) -> Verdict {
        if self.faults.on_stuck == OnStuck::Wait {
            return Ok(());
        }
        let excused = |no: usize| self.processes[no].stood_still_since(self.now, self.faults.ttl / 4);
        self.with.book.outlived(excused)
    }

    fn set_the_scene(&mut self) {
        let ttl = self.faults.ttl;
        self.log.note(self.now, || "world".into(), || format!("{:?}", self.faults));
        for member in 0..self.faults.members {
            let at = self.chance.below(ttl * 2);
            self.later(at, Happening::Start(member));
        }
        self.later(ttl, Happening::Strike);
        let heal_at = self.chance.span((ttl * 3, ttl * STORMY));
        self.later(heal_at, Happening::Heal);
    }

    fn next_moment(&self) -> Option<Nanos> {
        let timers = self.processes.iter().filter_map(Puppeteer::next);
        timers.chain(self.queue.next_at()).min().map(|at| at.max(self.now))
    }

    fn pass_to(&mut self, now: Nanos) {
        self.now = now;
        self.processes.iter_mut().filter(|process| process.lives()).for_each(|process| process.show(now));
    }

    fn let_happen(&mut self) {
        while self.queue.next_at().is_some_and(|at| at <= self.now)
            && let Some((_, happening)) = self.queue.next()
        {
            self.happen(happening);
        }
    }

    fn turn_all(&mut self) {
        for no in 0..self.processes.len() {
            if self.processes[no].turn() {
                self.ended(no);
            }
        }
        for call in self.with.outbox.take() {
            self.send(call);
        }
    }

    /// A process came to its end. Once everything is to be whole, somebody starts it again.
    fn ended(&mut self, no: usize) {
        if self.processes[no].has_aborted() {
            self.note_of(no, || "aborts itself".into());
        }
        self.crash(no);
        if self.healed_at.is_some() {
            let member = self.processes[no].member;
            self.later(self.faults.ttl / 20, Happening::Start(member));
        }
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Start(member) => self.start(member),
            Happening::Arrives(call, sent_at) if self.outlasts_healing(sent_at) => drop(call),
            Happening::Arrives(call, _) => self.arrive(call),
            // A process that has ended asks no more.
            Happening::Answered(asker, answer) => drop(asker.send(answer)),
            Happening::Hinted(to, hint) => drop(self.processes[to].hints.send(hint)),
            Happening::Proven(process) => self.proven(process),
            Happening::Strike => self.strike(),
            Happening::Thaw(no) => self.thaw(no),
            Happening::Heal => self.heal(),
            Happening::Whole => {
                self.judge.forget_served();
                let lease = if self.deleted { self.faults.ttl_max } else { self.faults.ttl };
                self.later(lease * BOUND, Happening::Judged);
            }
            Happening::Judged => {
                self.judged(self.judge.in_time());
                self.over = self.drained.is_none();
                self.later(self.faults.ttl * DRAINED, Happening::Drained);
            }
            Happening::Undrain => self.drain_as_wanted(),
            Happening::Drained => {
                self.judged(self.stayed_drained());
                self.over = true;
            }
        }
    }

    /// Starts a process of `member`.
    pub(super) fn start(&mut self, member: usize) {
        let no = self.processes.len();
        let birth = Birth {
            no,
            member,
            settings: self.faults.settings(member, self.chance.pick(&self.faults.ttls)),
            bits: (self.chance.bits(), self.chance.bits()),
            flaws: self.mutant.flaws(),
            drifting: self.faults.clock(self.now, &mut self.chance),
        };
        self.note_of(no, || format!("starts, of {}", member_id(member)));
        self.processes.push(Puppeteer::start(self.now, birth, &self.with));
    }

    /// The member that a process is of.
    pub(super) fn name_of(&self, process: usize) -> MemberId {
        member_id(self.processes[process].member)
    }

    /// Whether a process of `member` lives.
    pub(super) fn is_up(&self, member: usize) -> bool {
        self.processes.iter().any(|process| process.member == member && process.lives())
    }

    /// A request leaves its process.
    fn send(&mut self, call: Call) {
        let cut = self.now < self.processes[call.from].cut_until;
        if cut && self.chance.in_10k(5_000) || self.chance.in_10k(self.faults.refused) {
            let refusal = refused(&call.ask);
            return self.reply(call.asker, Err(refusal));
        }
        if cut || self.chance.in_10k(self.faults.lost) {
            return;
        }
        let way = self.chance.below(self.faults.latency) + 1;
        let late = self.chance.in_10k(self.faults.late);
        let delay = if late { self.chance.below(self.faults.ttl * 2) } else { 0 };
        self.later(way + delay, Happening::Arrives(call, self.now));
    }

    /// Whether a request that was sent before faults stopped comes when everything is whole: that would be one more fault.
    fn outlasts_healing(&self, sent_at: Nanos) -> bool {
        self.healed_at.is_some_and(|at| sent_at < at && self.now > at + self.faults.ttl / 10)
    }

    /// A request reaches the store.
    fn arrive(&mut self, Call { from, ask, asker }: Call) {
        let as_of = self.now - self.chance.below(self.faults.stale + 1).min(self.now);
        let answer = self.depot.land(self.now, as_of, &ask);
        self.note_of(from, || format!("{}: {}", ask.told(), told(&answer)));
        let changed = matches!(answer, Answer::Written(Written::Stored(_)) | Answer::Removed(_));
        if changed {
            self.hint_all(ask.key());
            self.mend_drained(ask.key());
        }
        if self.chance.in_10k(self.faults.answer_lost) {
            return;
        }
        let own = matches!(answer, Answer::Written(_)) && self.chance.in_10k(self.faults.own_conflict);
        self.reply(asker, Ok(if own { Answer::Written(Written::Conflict) } else { answer }));
    }

    fn reply(&mut self, asker: Asker, answer: Result<Answer, StoreError>) {
        let way = self.chance.below(self.faults.latency) + 1;
        self.later(way, Happening::Answered(asker, answer));
    }

    pub(super) fn hint_all(&mut self, key: &str) {
        let record = self.depot.record(key).filter(|_| self.faults.hints_bring).cloned();
        let hint = Hint { record, ..Hint::of(key) };
        for to in 0..self.processes.len() {
            if self.processes[to].lives() && self.chance.in_10k(self.faults.hints) {
                let way = self.chance.below(self.faults.latency * 2) + 1;
                self.later(way, Happening::Hinted(to, hint.clone()));
            }
        }
    }

    /// Lets something happen after `span`.
    pub(super) fn later(&mut self, span: Nanos, what: Happening) {
        self.queue.put(self.now + span, what);
    }

    pub(super) fn note(&mut self, who: &str, what: impl FnOnce() -> String) {
        self.log.note(self.now, || who.to_owned(), what);
    }

    /// Notes something of a process.
    pub(super) fn note_of(&mut self, no: usize, what: impl FnOnce() -> String) {
        self.log.note(self.now, || format!("p{no}"), what);
    }

    fn judged(&mut self, verdict: Verdict) {
        if let Err((promise, text)) = verdict
            && self.violation.is_none()
        {
            let violation = Violation { promise, at: self.now, text };
            self.note("judge", || violation.to_string());
            self.violation = Some(violation);
        }
    }
}

fn refused(ask: &Ask) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "sim", ask.name(), ask.key(), "it is away for a while")
}

fn told(answer: &Answer) -> String {
    let shown = |record: &Versioned| format!("{:?} {}", record.version, words::content(&record.value));
    match answer {
        Answer::Read(Read::Found(record)) => format!("found {}", shown(record)),
        Answer::Read(read) => format!("{read:?}"),
        Answer::Written(written) => format!("{written:?}"),
        Answer::Removed(removed) => format!("{removed:?}"),
        Answer::Entries(entries) => {
            let each = entries.iter().map(|entry| format!("{} {}", entry.key, shown(&entry.record)));
            each.collect::<Vec<_>>().join("; ")
        }
    }
}
