//! A page of the ledger: who owns which shard. How it is spelled is in `page_json`.

use serde::{Deserialize, Serialize};

use super::{Change, NUMBER_MAX, Unknown};
use crate::ids::{Epoch, Life, Lineage, MemberId};

/// The member written down to take a shard once its owner has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heir {
    /// Who takes it.
    pub life: Life,
    /// At which epoch.
    pub epoch: Epoch,
}

/// One shard in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Holding {
    /// Who owns it; `None` before its first owner.
    pub owner: Option<Life>,
    /// The owner's epoch.
    pub epoch: Epoch,
    /// Who takes it next.
    pub heir: Option<Heir>,
    /// The highest epoch ever given.
    pub top: Epoch,
}

/// Why a page was last written, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// What was done.
    pub reason: String,
    /// Who did it.
    pub author: MemberId,
    /// The members that the author counted on.
    pub view: Vec<MemberId>,
}

/// The record `ledger/<number>`.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerPage {
    /// Which founding of the cluster the page belongs to.
    pub lineage: Lineage,
    /// One more at each write.
    pub generation: u64,
    /// One for each shard of the page, in order.
    pub holdings: Vec<Holding>,
    /// Why it was last written.
    pub why: Option<Why>,
    /// The last changes, newest last; a few, for people.
    pub recent: Vec<Change>,
    /// Fields of a later version, kept as they are.
    pub extra: Unknown,
}

impl LedgerPage {
    /// The page that a founder creates: no shard was ever owned.
    pub fn blank(lineage: Lineage, len: u32) -> Self {
        let holdings = vec![Holding::default(); len as usize];
        Self { lineage, generation: 0, holdings, why: None, recent: Vec::new(), extra: Unknown::default() }
    }
}

impl LedgerPage {
    /// Whether the page can be written once more, within what anybody reads.
    pub fn can_turn(&self) -> bool {
        self.generation < NUMBER_MAX
    }
}

impl Holding {
    /// Whether the shard can be given to somebody once more, within what anybody reads.
    pub fn has_next(&self) -> bool {
        self.top.0 < NUMBER_MAX
    }

    /// Whether the ledger's steps can lead here: an owner has an epoch, an heir a later one, and `top` is the highest.
    pub(super) fn makes_sense(&self) -> bool {
        let named = self.owner.is_some() == (self.epoch > Epoch(0));
        let heir_follows = match &self.heir {
            Some(heir) => self.owner.is_some() && heir.epoch > self.epoch && heir.epoch <= self.top,
            None => true,
        };
        named && heir_follows && self.epoch <= self.top
    }
}
