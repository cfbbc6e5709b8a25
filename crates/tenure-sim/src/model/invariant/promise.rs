//! The promises by name, and sets of them, for a search asserts all or some.

use super::super::rules::Rules;
use super::super::settle;
use super::super::state::State;
use super::{closed, epochs, numbering, over, single};

/// A promise of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// No instant has two members that may act.
    I1,
    /// Epochs only grow, and one names one incarnation, for ever.
    I2,
    /// Whoever may act at an epoch, every lower one is ended.
    I3,
    /// Closed means: no valid lease, now or later.
    I4,
    /// A lapsed incarnation never acts again.
    I5,
    /// Once faults stop, there is an acting owner soon, and the ledger comes to rest.
    I6,
}

impl Invariant {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::I1, Self::I2, Self::I3, Self::I4, Self::I5, Self::I6];

    /// Whether it holds in `state`.
    pub fn holds(self, rules: &Rules, state: &State) -> bool {
        match self {
            Self::I1 => single::holds(rules, state),
            Self::I2 => numbering::holds(state),
            Self::I3 => epochs::holds(rules, state),
            Self::I4 => closed::holds(state),
            Self::I5 => over::holds(state),
            Self::I6 => settle::holds(rules, state),
        }
    }
}

/// A set of promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises(u8);

impl Promises {
    /// I1 to I5: what must hold at every instant.
    pub const SAFETY: Self = Self(0b01_1111);
    /// I1 to I6.
    pub const ALL: Self = Self(0b11_1111);

    /// One promise.
    pub const fn only(one: Invariant) -> Self {
        Self(1 << one as u8)
    }

    /// Those of a list.
    pub fn of(list: &[Invariant]) -> Self {
        Self(list.iter().fold(0, |set, one| set | 1 << *one as u8))
    }

    /// All of these but those of a list.
    #[must_use]
    pub fn without(self, list: &[Invariant]) -> Self {
        Self(self.0 & !Self::of(list).0)
    }

    /// Whether `one` is among them.
    pub fn has(self, one: Invariant) -> bool {
        self.0 & Self::only(one).0 != 0
    }

    /// The first that does not hold in `state`.
    pub fn broken(self, rules: &Rules, state: &State) -> Option<Invariant> {
        Invariant::ALL.into_iter().find(|one| self.has(*one) && !one.holds(rules, state))
    }
}
