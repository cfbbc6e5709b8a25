//! What all starts of work have in common, whatever the journal lies on.

use tenure_core::ids::{Epoch, Lineage};
use tenure_core::journal::{Author, Fault, Run};

use super::history::Batch;

/// The cluster of all owners but strangers.
pub(super) const LINEAGE: Lineage = Lineage(1);

/// How much an owner still wants to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wants {
    /// Appends, one record each.
    pub(super) appends: u8,
    /// Snapshots.
    pub(super) snapshots: u8,
}

/// Why a start of work is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ended {
    /// Another has opened the journal.
    Fenced,
    /// The journal can't be used.
    Told,
    /// Its process ended.
    Crashed,
}

impl Ended {
    pub(super) fn of(fault: &Fault) -> Self {
        match fault {
            Fault::Fenced(_) => Self::Fenced,
            Fault::Foreign(_) | Fault::Damaged(_) | Fault::WentBack { .. } => Self::Told,
        }
    }
}

/// The author of the start of work with this number.
pub(super) fn author(number: usize, epoch: u64) -> Author {
    Author { lineage: LINEAGE, epoch: Epoch(epoch), run: Run(number as u128 + 10) }
}

/// The number of the start of work of an author.
pub(super) fn number(author: &Author) -> u128 {
    author.run.0 - 10
}

impl Wants {
    /// One append less: its record, whose number nobody else has.
    pub(super) fn next_record(&mut self, author: &Author) -> Batch {
        self.appends -= 1;
        Batch { first: author.run.0 as u32 * 0x100 + u32::from(self.appends), count: 1 }
    }
}
