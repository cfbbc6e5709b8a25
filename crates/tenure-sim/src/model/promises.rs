//! The promises, as the model states them, and sets of them, for a search asserts all or some.

use super::act;
use super::incarnation::Incarnation;
use super::rules::Rules;
use super::settle;
use super::state::State;
use crate::promises::Promise;

/// A set of promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises(u16);

impl Promises {
    /// I1 to I5: what must hold at every instant.
    pub const SAFETY: Self = Self(0b01_1111);
    /// I1 to I6.
    pub const ALL: Self = Self(0b11_1111);

    /// One promise.
    pub const fn only(one: Promise) -> Self {
        Self(1 << place(one))
    }

    /// Those of a list.
    pub fn of(list: &[Promise]) -> Self {
        Self(list.iter().fold(0, |set, one| set | 1 << place(*one)))
    }

    /// All of these but those of a list.
    #[must_use]
    pub fn without(self, list: &[Promise]) -> Self {
        Self(self.0 & !Self::of(list).0)
    }

    /// Whether `one` is among them.
    pub fn has(self, one: Promise) -> bool {
        self.0 & Self::only(one).0 != 0
    }

    /// The first that does not hold in `state`.
    pub fn broken(self, rules: &Rules, state: &State) -> Option<Promise> {
        Promise::OF_CLUSTERS.into_iter().find(|one| self.has(*one) && !holds(*one, rules, state))
    }
}

const fn place(promise: Promise) -> u16 {
    match promise {
        Promise::SingleOwner => 0,
        Promise::EpochsGrow => 1,
        Promise::EarlierEnded => 2,
        Promise::ClosedHasNoLease => 3,
        Promise::LapsedNeverActs => 4,
        Promise::Settles => 5,
        Promise::NonsenseLeftAlone => 6,
        // Of none of these the model knows anything.
        Promise::ChildrenEndWithLease
        | Promise::ChildrenEndBeforeProof
        | Promise::ToldEndIsTrue
        | Promise::HelpersAreMinded
        | Promise::Journal(_) => 7,
    }
}

fn holds(promise: Promise, rules: &Rules, state: &State) -> bool {
    match promise {
        Promise::SingleOwner => single_owner(rules, state),
        // The ledger notes it as it is written.
        Promise::EpochsGrow => !state.facts.numbering_broken,
        Promise::EarlierEnded => earlier_ended(rules, state),
        Promise::ClosedHasNoLease => leased(state, |who| !state.facts.closed.has(who)),
        Promise::LapsedNeverActs => leased(state, |who| !state.facts.over.has(who)),
        Promise::Settles => settle::holds(rules, state),
        // The model has neither bytes nor child processes nor journals.
        Promise::NonsenseLeftAlone
        | Promise::ChildrenEndWithLease
        | Promise::ChildrenEndBeforeProof
        | Promise::ToldEndIsTrue
        | Promise::HelpersAreMinded
        | Promise::Journal(_) => true,
    }
}

fn single_owner(rules: &Rules, state: &State) -> bool {
    let acting = |p: &usize| !act::acts(rules, state, *p).is_empty();
    (0..rules.scope.processes.len()).filter(acting).count() <= 1
}

fn earlier_ended(rules: &Rules, state: &State) -> bool {
    (0..rules.scope.processes.len()).all(|p| all_ended_below(state, act::acts(rules, state, p).highest()))
}

fn all_ended_below(state: &State, epoch: u8) -> bool {
    state.facts.epochs().take_while(|(lower, _)| *lower < epoch).all(|(lower, _)| is_ended(state, lower))
}

/// Its holder has no lease, or has closed its guard at this epoch.
fn is_ended(state: &State, epoch: u8) -> bool {
    let holder = state.facts.holder(epoch);
    state.processes.iter().all(|p| p.who != holder || p.lease == 0 || p.released.highest() >= epoch)
}

/// Whether all that have a lease may have one.
fn leased(state: &State, may: impl Fn(Incarnation) -> bool) -> bool {
    state.processes.iter().all(|process| process.lease == 0 || may(process.who))
}
