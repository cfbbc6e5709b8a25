//! The loop: takes what happens next, lets it happen, and stops at the first broken promise or when all is judged.

use std::collections::BTreeMap;

use tenure_core::ids::ShardId;
use tenure_core::message::Action;
use tenure_core::record::{Heir, Key};

use super::network::Cut;
use super::proc::Proc;
use super::queue::{Dead, Happening};
use super::store::{Store, StoreFlaws};
use crate::bug::{Mutant, OutsideFlaw};
use crate::chance::Chance;
use crate::clock::Nanos;
use crate::faults::{FaultProfile, Shape, Theme};
use crate::log::Log;
use crate::promises::{Promise, Scene, Truth, Verdict, Violation};
use crate::queue::Queue;

/// More happenings than this among eight processes, or as many more among more of them, mean that machines keep each other busy for ever.
const MOST_HAPPENINGS: u64 = 400_000;

/// A whole cluster in virtual time.
#[derive(Debug)]
pub(crate) struct MachineSim<'a> {
    pub(crate) now: Nanos,
    pub(crate) queue: Queue<Happening>,
    pub(crate) chance: Chance,
    pub(crate) shape: Shape,
    pub(crate) faults: FaultProfile,
    pub(crate) mutant: Mutant,
    pub(crate) store: Store,
    pub(crate) procs: Vec<Proc>,
    pub(crate) dead: Vec<Dead>,
    pub(crate) cuts: Vec<Cut>,
    /// Keys that hold nonsense.
    pub(crate) spoiled: Vec<Key>,
    /// Records that went back in time, and whether no process has written them since.
    pub(crate) rewound: BTreeMap<Key, bool>,
    /// The shards that the operator moved, and where to.
    pub(crate) moves: Vec<(ShardId, Heir)>,
    /// Turns who should own what, where somebody else decides that.
    pub(crate) wants_turn: usize,
    pub(crate) truth: Truth,
    pub(crate) healing: super::healing::Healing,
    pub(crate) runs: u64,
    pub(crate) log: &'a mut Log,
    pub(crate) violation: Option<Violation>,
    /// A rule of settling that was broken: told only if nothing worse comes of it.
    reproof: Option<Violation>,
    pub(crate) done: bool,
    pub(crate) spare: Vec<Action>,
}

impl<'a> MachineSim<'a> {
    /// The cluster of `seed`, at its beginning.
    pub(crate) fn new(seed: u64, mutant: Mutant, log: &'a mut Log) -> Self {
        let mut chance = Chance::new(seed);
        let theme = Theme::draw(&mut chance);
        let mut shape = Shape::draw(&mut chance, theme.is_tight());
        if theme == Theme::BadClock {
            shape.faulty = Some(chance.place(shape.members));
        }
        let faults = FaultProfile::draw(&mut chance, theme, &shape);
        let flaws = StoreFlaws {
            versions_repeat: mutant.is(OutsideFlaw::VersionsRepeat),
            unconditional: mutant.is(OutsideFlaw::UnconditionalStore),
        };
        Self {
            now: 0,
            queue: Queue::new(),
            chance,
            shape,
            faults,
            mutant,
            store: Store::new(flaws),
            procs: Vec::new(),
            dead: Vec::new(),
            cuts: Vec::new(),
            spoiled: Vec::new(),
            rewound: BTreeMap::new(),
            moves: Vec::new(),
            wants_turn: 0,
            truth: Truth::default(),
            healing: super::healing::Healing::default(),
            runs: 0,
            log,
            violation: None,
            reproof: None,
            done: false,
            spare: Vec::new(),
        }
    }

    /// Lets everything happen, until a promise is broken, all is judged, or `until`.
    pub(crate) fn run(&mut self, until: Nanos) -> Option<Violation> {
        self.begin();
        while let Some((at, what)) = self.queue.next() {
            if at > until {
                break;
            }
            self.now = at;
            self.happen(what);
            if self.done || self.violation.is_some() {
                break;
            }
            if self.queue.count() > MOST_HAPPENINGS / 8 * self.procs.len().max(8) as u64 {
                self.judge(Err((Promise::Settles, "machines keep each other busy for ever".into())));
            }
        }
        self.violation.take().or_else(|| self.reproof.take())
    }

    fn begin(&mut self) {
        self.log.note(0, || "world".into(), || format!("{:?}\n{:?}", self.shape, self.faults));
        for member in 0..self.shape.founders {
            let at = self.chance.below(self.shape.ttl() / 10);
            self.queue.put(at, Happening::Begin { member });
        }
        self.queue.put(self.chance.span(self.faults.strike_every), Happening::Strike);
        self.queue.put(self.faults.lasts, Happening::Heal);
    }

    fn happen(&mut self, what: Happening) {
        match what {
            Happening::Arrival(flight) => self.arrive(*flight),
            Happening::Answer { .. }
            | Happening::CallOver { .. }
            | Happening::Timer { .. }
            | Happening::Told { .. }
            | Happening::WorkEnds { .. } => self.deliver(what),
            Happening::Thaw(no) => self.thaw(no),
            Happening::Begin { member } => self.start(member),
            Happening::Word { member, event } => self.pass_on(member, &event),
            Happening::Lift(number) => self.lift(number),
            Happening::Undrain => self.drain_as_wanted(),
            Happening::Strike => self.strike(),
            Happening::Heal => self.heal(),
            Happening::Healed => self.healed(),
            Happening::Judge => self.judge_service(),
            Happening::Settle => self.settle(),
        }
    }

    /// This instant, for a promise to look at.
    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene { now: self.now, procs: &self.procs, truth: &self.truth }
    }

    /// Notes a broken promise, unless the seed's clocks excuse it. The first one counts.
    pub(crate) fn judge(&mut self, verdict: Verdict) {
        let Err((promise, text)) = verdict else { return };
        let excused = self.shape.faulty.is_some()
            && matches!(promise, Promise::SingleOwner | Promise::EarlierEnded | Promise::ClosedHasNoLease);
        if excused || self.violation.is_some() {
            return;
        }
        let violation = Violation { promise, at: self.now, text };
        self.log.note(self.now, || "judge".into(), || violation.to_string());
        self.violation = Some(violation);
    }

    /// Notes that a rule was broken on which no safety rests. The run goes on, for worse may come of it; the first one
    /// counts.
    pub(crate) fn reprove(&mut self, verdict: Verdict) {
        let Err((promise, text)) = verdict else { return };
        if self.reproof.is_none() && self.violation.is_none() {
            let violation = Violation { promise, at: self.now, text };
            self.log.note(self.now, || "judge".into(), || violation.to_string());
            self.reproof = Some(violation);
        }
    }

    /// Notes something in the log.
    pub(crate) fn note(&mut self, who: &str, what: impl FnOnce() -> String) {
        self.log.note(self.now, || who.to_string(), what);
    }
}
