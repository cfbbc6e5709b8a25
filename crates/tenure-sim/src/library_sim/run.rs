//! Turns everything, moment by moment.

use std::collections::BTreeSet;

use tenure::OnStuck;
use tenure::store::Hint;
use tenure_core::ids::Process;
use tenure_core::message::{CallId, Reply};
use tenure_core::plan::Placement;
use tokio::sync::watch;

use super::ask::Ask;
use super::connection::{Asker, Deaths, Outbox};
use super::judge::Acted;
use super::process::{Birth, Shared, SimProcess};
use super::work::{Book, Manner, Manners};
use crate::bug::Mutant;
use crate::clock::Nanos;
use crate::faults::Damage;
use crate::log::Log;
use crate::network::Flight;
use crate::promises::{Verdict, Violation};
use crate::queue::Queue;
use crate::store::{Store, StoreFlaws};
use crate::surroundings::{ProcessNo, Surroundings, member_id};

/// The most members and shards of a run: with more it takes too long.
const MOST: (usize, u32) = (4, 12);

/// What happens at a moment.
#[derive(Debug)]
pub(super) enum Happening {
    Start(usize),
    /// A request reaches the store.
    Arrival(Box<Flight<Ask>>),
    /// The store's answer reaches a process.
    Answer {
        to: ProcessNo,
        call: CallId,
        reply: Box<Reply>,
    },
    Hinted(ProcessNo, Hint),
    Proven(Process),
    Strike,
    /// The store forgets, or an operator goes on recovering the cluster.
    Recover,
    Thaw(ProcessNo),
    /// A fault that lasted for a while is over.
    Lift(u32),
    Heal,
    Healed,
    Judge,
    /// A look at whether the ledger has come to rest.
    Settle,
    /// The operator sees to it that nobody is drained who should not be.
    Undrain,
}

/// One seed's cluster.
#[derive(Debug)]
pub(super) struct LibrarySim<'a> {
    pub(super) around: Surroundings<'a>,
    pub(super) queue: Queue<Happening>,
    pub(super) processes: Vec<SimProcess>,
    pub(super) dead: watch::Sender<BTreeSet<Process>>,
    /// By call, who waits for the answer.
    pub(super) askers: Vec<Option<Asker>>,
    /// What the probe writes.
    pub(super) probes: Store<String>,
    pub(super) acted: Acted,
    pub(super) with: Shared,
    pub(super) over: bool,
}

impl<'a> LibrarySim<'a> {
    /// The cluster of `seed`, before anything has happened.
    pub(super) fn new(seed: u64, mutant: Mutant, log: &'a mut Log) -> Self {
        let mut around = Surroundings::draw(seed, mutant, log);
        let shape = &mut around.shape;
        (shape.members, shape.shards) = (shape.members.min(MOST.0), shape.shards.min(MOST.1));
        shape.founders = shape.founders.min(shape.members);
        shape.faulty = shape.faulty.filter(|member| *member < MOST.0);
        if shape.placement == Placement::External {
            shape.placement = Placement::Rendezvous;
        }
        let dead = watch::Sender::new(BTreeSet::new());
        let deaths = (around.faults.proofs > 0).then(|| Deaths(dead.subscribe()));
        let manners = Manners::new(Manner::draw(&mut around));
        Self {
            acted: Acted::default(),
            around,
            queue: Queue::new(),
            processes: Vec::new(),
            dead,
            askers: Vec::new(),
            probes: Store::new(StoreFlaws::default()),
            with: Shared { outbox: Outbox::default(), book: Book::default(), manners, deaths },
            over: false,
        }
    }

    /// From the first start to the verdict.
    pub(super) fn run(mut self) -> Option<Violation> {
        self.begin();
        while !self.over && self.around.violation.is_none() {
            let Some(now) = self.next_moment() else { break };
            self.pass_to(now);
            self.let_happen();
            self.turn_all();
            self.look();
        }
        self.around.verdict()
    }

    fn begin(&mut self) {
        let around = &mut self.around;
        around.log.note(0, || "world".into(), || format!("{:?}\n{:?}", around.shape, around.faults));
        for member in 0..self.around.shape.founders {
            let at = self.around.chance.below(self.around.shape.ttl() / 10);
            self.later(at, Happening::Start(member));
        }
        let first = self.around.chance.span(self.around.faults.strike_every);
        self.later(first, Happening::Strike);
        self.later(self.around.faults.lasts, Happening::Heal);
        if let Some(at) = self.around.will_forget() {
            self.queue.put(at, Happening::Recover);
        }
    }

    fn next_moment(&self) -> Option<Nanos> {
        let timers = self.processes.iter().filter_map(SimProcess::next);
        timers.chain(self.queue.next_at()).min().map(|at| at.max(self.around.now))
    }

    fn pass_to(&mut self, now: Nanos) {
        self.around.now = now;
        self.processes.iter_mut().filter(|process| process.lives()).for_each(|process| process.show(now));
    }

    fn let_happen(&mut self) {
        while self.queue.next_at().is_some_and(|at| at <= self.around.now)
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

    /// Asks all guards whether the promises hold.
    fn look(&mut self) {
        let (around, names) = (&mut self.around, &self.processes);
        let verdict = self.acted.look(&self.with.book, &mut around.healing, |no| &names[no].name);
        around.judge(verdict);
        let verdict = self.nothing_outlives_its_shard();
        self.around.judge(verdict);
    }

    /// Where the watchdog is on: once somebody acts for a shard, nothing of an earlier epoch is left elsewhere. What stood still
    /// may be, for as long as interrupted work is given.
    fn nothing_outlives_its_shard(&self) -> Verdict {
        if self.around.shape.on_stuck == OnStuck::Wait {
            return Ok(());
        }
        let (now, span) = (self.around.now, self.around.shape.ttl() / 4);
        let excused = |no: ProcessNo| self.processes[no].stood_still_since(now, span);
        self.with.book.outlived(excused, |no| &self.processes[no].name)
    }

    /// A process came to its end. Once everything is to be whole, somebody starts it again.
    fn ended(&mut self, no: ProcessNo) {
        if self.processes[no].has_aborted() {
            self.note_of(no, || "aborts itself".into());
        }
        self.crash(no);
        if self.around.healing.has_begun() {
            let member = self.processes[no].member;
            self.later(self.around.shape.ttl() / 20, Happening::Start(member));
        }
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Start(member) => self.start(member),
            Happening::Arrival(flight) => self.arrive(*flight),
            Happening::Answer { to, call, reply } => self.answer(to, call, *reply),
            Happening::Hinted(to, hint) => drop(self.processes[to].hints.send(hint)),
            Happening::Proven(process) => self.proven(process),
            Happening::Strike => self.strike(),
            Happening::Recover => self.recover(),
            Happening::Thaw(no) => self.thaw(no),
            Happening::Lift(number) => self.around.lift(number),
            Happening::Heal => self.heal(),
            Happening::Healed => self.healed(),
            Happening::Judge => self.judge_service(),
            Happening::Settle => self.settle(),
            Happening::Undrain => self.drain_as_wanted(),
        }
    }

    /// Starts a process of `member`.
    pub(super) fn start(&mut self, member: usize) {
        let no = self.processes.len();
        let nth = self.processes.iter().filter(|process| process.member == member).count();
        let around = &mut self.around;
        let birth = Birth {
            no,
            member,
            name: format!("{}/{}", member_id(member), nth + 1),
            habit: around.shape.habit(member, nth).clone(),
            bits: (around.chance.bits(), around.chance.bits()),
            rules: around.mutant.rules(),
            drifting: around.shape.clock(member, around.now, &mut around.chance),
        };
        let process = SimProcess::start(around.now, birth, &around.shape, &self.with);
        self.processes.push(process);
        self.note_of(no, || "starts".into());
    }

    /// Whether a process of `member` lives.
    pub(super) fn is_up(&self, member: usize) -> bool {
        self.processes.iter().any(|process| process.member == member && process.lives())
    }

    /// Lets something happen after `span`.
    pub(super) fn later(&mut self, span: Nanos, what: Happening) {
        self.queue.put(self.around.now + span, what);
    }

    /// Notes something of a process.
    pub(super) fn note_of(&mut self, no: ProcessNo, what: impl FnOnce() -> String) {
        self.around.log.note(self.around.now, || self.processes[no].name.clone(), what);
    }
}
