//! What can be known for ever once it could be read, by whomever.
//!
//! Rules that say "any read" allow a read to be as old as it likes. So a fact stays usable from the moment on at which the first
//! reader could have read it, and who read it does not matter.

use super::incarnation::{Epochs, Incarnation, Incarnations};
use super::state::EPOCHS;

/// The stable facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Whom somebody could have judged closed (O3).
    pub closed: Incarnations,
    /// Whose record was stored as active: these may be named (P1–P4).
    pub seen: Incarnations,
    /// Whose life is over: lapsed, left or crashed. No rule reads it of others; I5 does.
    pub over: Incarnations,
    /// Epochs whose release was stored in the holder's record.
    pub published: Epochs,
    /// Heirs' epochs for which the owner has sent a grant.
    pub granted: Epochs,
    /// By epoch: whom the ledger has named.
    pub named: [Named; EPOCHS],
    /// An epoch named two, or a number of the holding fell (I2).
    pub numbering_broken: bool,
}

/// What the ledger has said of one epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Named {
    /// Whose epoch it is.
    pub who: Incarnation,
    /// Whether it was named as owner.
    pub owner: bool,
    /// If it was named as heir: the epoch of the owner at that time.
    pub heir_of: u8,
}

impl Facts {
    /// Epochs that the ledger has named, from the lowest.
    pub fn epochs(&self) -> impl Iterator<Item = (u8, Named)> {
        self.named
            .into_iter()
            .enumerate()
            .filter(|(_, named)| named.who.is_somebody())
            .map(|(e, n)| (e as u8, n))
    }

    /// Whose `epoch` is.
    pub fn holder(&self, epoch: u8) -> Incarnation {
        self.named[epoch as usize].who
    }
}
