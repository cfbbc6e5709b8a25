//! Who writes to a journal, and where.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::{Epoch, Lineage, name, random_bits};

name!(
    /// The name of a journal: a shard can have several, one for each use.
    JournalName,
    "journal name"
);

random_bits!(
    /// One start of work: drawn anew each time, for ownership may start the work of one epoch again.
    Run
);

/// The number of an entry. The first is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The number of the first entry.
    pub const FIRST: Self = Self(1);

    /// The number after this one.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The number before this one; zero, which no entry has, before the first.
    pub fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The numbers from this one up to `end`, without it.
    pub fn until(self, end: Self) -> impl Iterator<Item = Self> {
        (self.0..end.0).map(Self)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Who writes: one start of work of one owner of one cluster's shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Author {
    /// The cluster's founding: another lineage knows nothing of our epochs.
    pub lineage: Lineage,
    /// The owner's epoch.
    pub epoch: Epoch,
    /// The start of work within that epoch.
    pub run: Run,
}

impl Author {
    /// Who takes a journal over for the founding `lineage`, before its first owner opens it. It appends nothing, so it need not be told
    /// from another that does the same; every epoch comes after it.
    pub fn adopting(lineage: Lineage) -> Self {
        Self { lineage, epoch: Epoch(0), run: Run(0) }
    }
}
