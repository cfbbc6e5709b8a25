//! The store forgets, as one does that is restored from an older copy; then an operator recovers the cluster, by R1 to R5.
//!
//! ```text
//!  forget ── a while ──► meta forming ► pages raised ► members closed ── wait ──► closed again? ► pages ready ► meta ready
//!  └──────────── nothing is promised: owners and epochs may be given twice ────────────────────┘ └─ everything is promised again
//! ```

use bytes::Bytes;
use tenure_core::ids::{Lineage, MemberId, Process};
use tenure_core::message::Versioned;
use tenure_core::record::{Key, LedgerPage, MemberRecord};
use tenure_core::recovery::{Progress, Recovery};

use super::Strike;
use crate::bug::OutsideFlaw;
use crate::chance::Chance;
use crate::clock::Nanos;
use crate::promises::{Promise, Verdict};
use crate::store::{Expect, Write};
use crate::surroundings::{Harness, Surroundings};

/// So many seeds in ten thousand have a store that forgets.
const SHARE: u32 = 300;

/// Forgetting is drawn from a seed of its own, so that all other seeds run as they would without it.
const APART: u64 = 0x666f_7267_6574;

/// So many of these in ten thousand give versions out a second time, as some restored stores do: a member that is cut off for as long as
/// the recovery lasts may then read that the page of its old version is "unchanged".
const REPEATING: u32 = 5_000;

/// By how many millionths the operator's clock is fast: as wrong as a recovery reckons with.
const FAST: u64 = 10_000;

/// Whether the store forgets in a seed, and how far the recovery is.
#[derive(Debug)]
pub(crate) struct Forgetting {
    /// What it is drawn from; `None` if the store forgets nothing in this seed, or has.
    chance: Option<Chance>,
    recovery: Option<(Recovery, Stage)>,
    /// When the store forgot.
    at: Option<Nanos>,
}

/// What the operator does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// R1.
    Begin,
    /// R2, for this page and those after it.
    Raise(u32),
    /// R3, and after the wait of R4 once more.
    Close { again: bool },
    /// R5, for this page and those after it, and then for meta.
    Finish(u32),
}

impl Forgetting {
    /// Whether the store of `seed` forgets.
    pub(crate) fn draw(seed: u64) -> Self {
        let mut chance = Chance::new(seed ^ APART);
        Self { chance: chance.in_10k(SHARE).then_some(chance), recovery: None, at: None }
    }

    /// Whether a request that was sent at `sent_at` found the store restored: then its connection broke.
    pub(crate) fn broke(&self, sent_at: Nanos) -> bool {
        self.at.is_some_and(|at| sent_at <= at)
    }

    /// Whether the store has forgotten, and the cluster is not recovered yet: nothing is promised.
    pub(crate) fn is_under_way(&self) -> bool {
        self.recovery.is_some()
    }
}

impl Surroundings<'_> {
    /// When the store forgets, if it does in this seed: then processes are cut off and stand still, and nothing else damages records.
    pub(crate) fn will_forget(&mut self) -> Option<Nanos> {
        let chance = self.forgetting.chance.as_mut()?;
        self.faults.strikes.retain(|(strike, _)| !strike.is_damage());
        self.faults.strikes.extend([(Strike::Cut, 16), (Strike::LongPause, 8), (Strike::Start, 12)]);
        Some(chance.span((self.faults.lasts / 4, self.faults.lasts / 2)))
    }

    /// What is stored is as it was a while ago.
    fn go_back(&mut self, chance: &mut Chance) -> bool {
        let ttl = self.shape.ttl();
        let then = self.now.saturating_sub(chance.span((ttl / 20, 4 * ttl)));
        let Some(meta) = self.truth.meta.clone().filter(|_| self.truth.ready_at.is_some_and(|at| at < then))
        else {
            return false;
        };
        // A cluster that lacks a page can't be recovered: its operator is told so, and restores another copy.
        if (0..meta.pages()).any(|number| self.store.get(&Key::Page(number)).is_none()) {
            return false;
        }
        let repeat = chance.in_10k(REPEATING);
        self.note("fault", || format!("the store is as it was at {then} ns, versions repeat: {repeat}"));
        self.store.go_back(self.now, then, repeat);
        self.forgetting.at = Some(self.now);
        let (store, ttl_max) = (&self.store, self.shape.ttl_max);
        let page = |number| LedgerPage::decode(number, &store.get(&Key::Page(number))?.value, &meta).ok();
        let line = |id: &MemberId| {
            let found = store.get(&Key::Member(id.clone()))?;
            MemberRecord::decode(id, &found.value, ttl_max).ok().map(|record| record.line)
        };
        self.truth.forgot(self.now, page, line);
        self.healing.missing_record = true;
        let fresh = Lineage(chance.bits());
        self.forgetting.recovery = Some((Recovery::new(&meta, fresh), Stage::Begin));
        true
    }

    /// How long the operator waits once all members are closed, in true time.
    fn patience(&self, recovery: &Recovery) -> Nanos {
        match self.mutant.is(OutsideFlaw::RecoveryHurries) {
            true => 0,
            false => recovery.patience().as_nanos() as u64 * 1_000_000 / (1_000_000 + FAST),
        }
    }

    fn page_of(&self, recovery: &Recovery, number: u32) -> Option<LedgerPage> {
        recovery.read_page(number, &self.store.get(&Key::Page(number))?.value).ok()
    }

    /// The records of members that are not closed yet, as they are once they are.
    fn to_close(&self, recovery: &Recovery) -> Vec<(MemberId, MemberRecord)> {
        let nobody = Process(u128::from(self.now));
        let ttl_max = recovery.forming().ttl_max();
        let closed = |(id, found): (MemberId, Versioned)| {
            let record = MemberRecord::decode(&id, &found.value, ttl_max).ok()?;
            Some((id, recovery.closed(&record, nobody, self.now / 1_000_000)?))
        };
        self.store.members(|| self.now).into_iter().filter_map(closed).collect()
    }
}

/// The store forgets. When the operator begins to recover the cluster, or when to try again.
fn forget<'a>(sim: &mut impl Harness<'a>) -> Option<Nanos> {
    let around = sim.around();
    let mut chance = around.forgetting.chance.take()?;
    let ttl = around.shape.ttl();
    if around.go_back(&mut chance) {
        return Some(around.now + chance.span((ttl / 100, 2 * ttl)));
    }
    around.forgetting.chance = Some(chance);
    (!around.healing.has_begun()).then_some(around.now + ttl)
}

/// The store forgets, or the operator takes the next step of its recovery. When the step after it is taken, if there is one.
pub(crate) fn go_on<'a>(sim: &mut impl Harness<'a>) -> Option<Nanos> {
    let Some((recovery, stage)) = sim.around().forgetting.recovery.clone() else { return forget(sim) };
    sim.around().note("operator", || format!("recovers: {stage:?}"));
    let next = step(sim, &recovery, stage);
    let around = sim.around();
    around.forgetting.recovery = next.map(|(stage, _)| (recovery, stage));
    next.map(|(_, wait)| around.now + wait)
}

/// Takes a step: which one comes next, and after which time.
fn step<'a>(sim: &mut impl Harness<'a>, recovery: &Recovery, stage: Stage) -> Option<(Stage, Nanos)> {
    let pages = recovery.forming().pages();
    let next = match stage {
        Stage::Begin => {
            put(sim, &Key::Meta, recovery.forming().encode());
            Stage::Raise(0)
        }
        Stage::Raise(number) if number < pages => {
            raise(sim, recovery, number);
            Stage::Raise(number + 1)
        }
        Stage::Raise(_) => Stage::Close { again: false },
        Stage::Close { again } if close_members(sim, recovery) > 0 || !again => {
            return Some((Stage::Close { again: true }, sim.around().patience(recovery) + 1));
        }
        Stage::Close { .. } => {
            let verdict = nobody_acts(sim.acting());
            sim.around().judge_after_all(verdict);
            Stage::Finish(0)
        }
        Stage::Finish(number) if number < pages => match finish(sim, recovery, number) {
            true => Stage::Finish(number + 1),
            false => Stage::Begin,
        },
        Stage::Finish(_) => {
            put(sim, &Key::Meta, recovery.ready().encode());
            return None;
        }
    };
    let around = sim.around();
    Some((next, around.chance.span(around.faults.hop)))
}

/// R2.
fn raise<'a>(sim: &mut impl Harness<'a>, recovery: &Recovery, number: u32) {
    let Some(page) = sim.around().page_of(recovery, number) else { return };
    let author = "operator".parse().expect("a plain name");
    let raised = recovery.raised(number, &page, &author).expect("no seed uses its numbers up");
    let Some(mut raised) = raised else { return };
    if sim.around().mutant.is(OutsideFlaw::RecoveryRaisesNothing) {
        for (after, before) in raised.holdings.iter_mut().zip(&page.holdings) {
            after.top = before.top;
        }
    }
    put(sim, &Key::Page(number), raised.encode());
}

/// R3: how many records were closed.
fn close_members<'a>(sim: &mut impl Harness<'a>, recovery: &Recovery) -> usize {
    if sim.around().mutant.is(OutsideFlaw::RecoveryClosesNobody) {
        return 0;
    }
    let closed = sim.around().to_close(recovery);
    for (id, record) in &closed {
        put(sim, &Key::Member(id.clone()), record.encode());
    }
    closed.len()
}

/// R5: whether the page is as it should be. Where versions repeat, a member of before may have written over it.
fn finish<'a>(sim: &mut impl Harness<'a>, recovery: &Recovery, number: u32) -> bool {
    let Some(page) = sim.around().page_of(recovery, number) else { return false };
    match recovery.progress(&page) {
        Progress::Done => true,
        Progress::Old => false,
        Progress::Raised => {
            let finished = recovery.finished(number, &page).expect("a raised page can be finished");
            finished.into_iter().for_each(|page| put(sim, &Key::Page(number), page.encode()));
            true
        }
    }
}

fn put<'a>(sim: &mut impl Harness<'a>, key: &Key, value: Bytes) {
    sim.write(None, Write { key, value: Some(value), when: Expect::Anything });
}

/// R4: after the wait nobody of before acts.
fn nobody_acts(acting: Option<String>) -> Verdict {
    match acting {
        Some(who) => {
            Err((Promise::SingleOwner, format!("{who} acts still, and its cluster was recovered meanwhile")))
        }
        None => Ok(()),
    }
}
