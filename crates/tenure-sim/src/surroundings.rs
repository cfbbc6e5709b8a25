//! What surrounds the processes of a run, whether these are machines or the shipped library: what the seed drew, the store, the
//! network, what is true, and who says so when a promise is broken.

use std::collections::BTreeMap;

use tenure_core::ids::{MemberId, ShardId};
use tenure_core::record::{Heir, Key, MemberRecord, Version};

use crate::bug::{Mutant, OutsideFlaw};
use crate::chance::Chance;
use crate::clock::Nanos;
use crate::faults::{FaultProfile, Forgetting, Healing, Shape, Strike, Theme};
use crate::log::Log;
use crate::network::Network;
use crate::promises::{Promise, Truth, Verdict, Violation};
use crate::store::{Store, StoreFlaws, Write};

/// The number of a process in a run; every process that ever ran has its own.
pub(crate) type ProcessNo = usize;

/// What surrounds the processes of a run.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) now: Nanos,
    pub(crate) chance: Chance,
    pub(crate) shape: Shape,
    pub(crate) faults: FaultProfile,
    pub(crate) mutant: Mutant,
    pub(crate) store: Store,
    pub(crate) network: Network,
    /// Keys that hold nonsense.
    pub(crate) spoiled: Vec<Key>,
    /// Records that went back in time, and whether no process has written them since.
    pub(crate) rewound: BTreeMap<Key, bool>,
    /// The shards that the operator moved, and where to.
    pub(crate) moves: Vec<(ShardId, Heir)>,
    pub(crate) truth: Truth,
    pub(crate) healing: Healing,
    pub(crate) forgetting: Forgetting,
    pub(crate) log: &'a mut Log,
    pub(crate) violation: Option<Violation>,
    /// A rule of settling that was broken: told only if nothing worse comes of it.
    reproof: Option<Violation>,
}

/// A simulation: its surroundings, and what it adds to a write that lands.
pub(crate) trait Harness<'a> {
    /// What surrounds its processes.
    fn around(&mut self) -> &mut Surroundings<'a>;

    /// A write of process `by`, or of the operator, reaches the store. Its version, if it lands.
    fn write(&mut self, by: Option<ProcessNo>, write: Write<'_>) -> Option<Version>;

    /// A process that may act for some shard now.
    fn acting(&self) -> Option<String>;
}

impl<'a> Surroundings<'a> {
    /// What surrounds the processes of `seed`, before anything has happened.
    pub(crate) fn draw(seed: u64, mutant: Mutant, log: &'a mut Log) -> Self {
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
            chance,
            shape,
            faults,
            mutant,
            store: Store::new(flaws),
            network: Network::default(),
            spoiled: Vec::new(),
            rewound: BTreeMap::new(),
            moves: Vec::new(),
            truth: Truth::default(),
            healing: Healing::default(),
            forgetting: Forgetting::draw(seed),
            log,
            violation: None,
            reproof: None,
        }
    }

    /// Whether the cluster is founded.
    pub(crate) fn is_ready(&self) -> bool {
        self.truth.ready_at.is_some()
    }

    /// The record of a member as it is, if there is one and it makes sense.
    pub(crate) fn record(&self, id: &MemberId) -> Option<MemberRecord> {
        let content = self.store.get(&Key::Member(id.clone()))?;
        MemberRecord::decode(id, &content.value, self.shape.ttl_max).ok()
    }

    /// The record of a member as it was.
    pub(crate) fn record_as_of(&self, id: &MemberId, then: Nanos) -> Option<MemberRecord> {
        let content = self.store.as_of(&Key::Member(id.clone()), then)?;
        MemberRecord::decode(id, &content.value, self.shape.ttl_max).ok()
    }

    /// Since when listings have shown the truth.
    pub(crate) fn truthful_since(&self) -> Nanos {
        let from_the_start = self.faults.stale == 0;
        self.healing.begun_at().unwrap_or(if from_the_start { 0 } else { Nanos::MAX })
    }

    /// Notes a broken promise, unless the store forgot or the seed's clocks excuse it. The first one counts.
    pub(crate) fn judge(&mut self, verdict: Verdict) {
        if !self.forgetting.is_under_way() {
            self.judge_after_all(verdict);
        }
    }

    /// Notes a broken promise that counts though the store forgot.
    pub(crate) fn judge_after_all(&mut self, verdict: Verdict) {
        let Err((promise, text)) = verdict else { return };
        let clock =
            matches!(promise, Promise::SingleOwner | Promise::EarlierEnded | Promise::ClosedHasNoLease);
        if self.shape.faulty.is_some() && clock || self.violation.is_some() {
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
        if self.reproof.is_none() && self.violation.is_none() && !self.forgetting.is_under_way() {
            let violation = Violation { promise, at: self.now, text };
            self.log.note(self.now, || "judge".into(), || violation.to_string());
            self.reproof = Some(violation);
        }
    }

    /// The promise that was broken, if any.
    pub(crate) fn verdict(&mut self) -> Option<Violation> {
        self.violation.take().or_else(|| self.reproof.take())
    }

    /// The next fault, if one strikes, and when the one after it does; `None` once all is healed.
    pub(crate) fn next_strike(&mut self) -> Option<(Nanos, Option<Strike>)> {
        if self.healing.has_begun() {
            return None;
        }
        let after = self.now + self.chance.span(self.faults.strike_every);
        let strike = self.chance.weighed(&self.faults.strikes);
        // Who recovers a cluster asks for nothing else meanwhile.
        let recovering = self.forgetting.is_under_way();
        let strike = strike.filter(|strike| !recovering || !strike.is_order());
        if let Some(strike) = strike {
            self.note("fault", || format!("{strike:?}"));
        }
        Some((after, strike))
    }

    /// Notes something in the log.
    pub(crate) fn note(&mut self, who: &str, what: impl FnOnce() -> String) {
        self.log.note(self.now, || who.to_string(), what);
    }
}

/// How a member is called.
pub(crate) fn member_id(member: usize) -> MemberId {
    let letter = char::from(b'a' + (member % 26) as u8);
    letter.to_string().parse().expect("a letter is a name")
}
