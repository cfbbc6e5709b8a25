//! Gives a cluster a new lineage after its store forgot: restored from a backup, or failed over to a replica that lagged.
//!
//! Such a store may have forgotten owners that still act, and would give out epochs a second time. A recovery makes both harmless, in
//! this order, each step one conditional write:
//!
//! ```text
//!  meta      forming, a new lineage N             nobody who starts now joins
//!  pages     raised: no owner, top + 2³², of ¬N   nobody can take a step; whoever reads one lets go and waits
//!  members   closed, in a line of their own       no lease of before can be renewed
//!            ── the cluster's longest lease ──    whoever acted before has stopped
//!  pages     of N
//!  meta      ready                                members come back by themselves
//! ```
//!
//! While pages are of the interim lineage ¬N nobody can finish the founding on their own, so that the wait can't be cut short. Where a
//! recovery stopped is written in what it wrote: begun again, it goes on.

use std::time::Duration;

use crate::ids::{Epoch, Line, Lineage, MemberId, Process};
use crate::moment::Timing;
use crate::record::{
    Formation, Holding, Incompatible, LedgerPage, MemberRecord, MemberState, Meta, NUMBER_MAX, Released, Why,
};

/// Every shard's highest epoch is raised by so many: more than were given out between any backup and its restore.
pub const STEP: u64 = 1 << 32;

/// Why a cluster can't be recovered as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hindrance {
    /// A record can't be understood.
    #[error("{0}; `tenure store check` says what to do about it, then recover")]
    Unreadable(Incompatible),
    /// A page is not there.
    #[error("ledger page {0} is not there: the backup is not whole; restore one that is, then recover")]
    NoPage(u32),
    /// Nobody has finished founding it, so that there is nothing to recover.
    #[error("it is being founded, and nothing in it was ever owned; let its members finish that")]
    Founding,
    /// Numbers are used up.
    #[error("{0} can't be raised any further; found the cluster anew, under another name")]
    Spent(String),
}

/// How far the recovery of a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is as it was restored.
    Old,
    /// Its epochs are raised, and nobody can use it yet.
    Raised,
    /// It is done.
    Done,
}

/// One recovery: known by the lineage that it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// What all members will agree on, while the recovery goes on.
    meta: Meta,
}

impl Recovery {
    /// The recovery of the cluster of `meta`, which gets the lineage `fresh`; or the one that was begun and not finished.
    pub fn new(meta: &Meta, fresh: Lineage) -> Self {
        let lineage = match meta.state {
            Formation::Ready => fresh,
            Formation::Forming => meta.lineage,
        };
        Self { meta: Meta { lineage, state: Formation::Forming, ..meta.clone() } }
    }

    /// What `meta` says while the recovery goes on.
    pub fn forming(&self) -> &Meta {
        &self.meta
    }

    /// What `meta` says in the end.
    pub fn ready(&self) -> Meta {
        Meta { state: Formation::Ready, ..self.meta.clone() }
    }

    /// The lineage of pages that are raised and can't be used yet.
    fn interim(&self) -> Lineage {
        Lineage(!self.meta.lineage.0)
    }

    /// The line of members' records that this recovery closed.
    fn line(&self) -> Line {
        Line(self.meta.lineage.0)
    }

    /// How long to wait once all members are closed: no lease of before is good for longer, by whichever clock.
    pub fn patience(&self) -> Duration {
        let ttl_max = self.meta.ttl_max();
        Timing::for_ttl(ttl_max / 4).silence(ttl_max)
    }

    /// How far the page is.
    pub fn progress(&self, page: &LedgerPage) -> Progress {
        match page.lineage {
            done if done == self.meta.lineage => Progress::Done,
            raised if raised == self.interim() => Progress::Raised,
            _ => Progress::Old,
        }
    }

    /// Reads a page, of whichever lineage.
    ///
    /// # Errors
    /// It can't be understood.
    pub fn read_page(&self, number: u32, bytes: &[u8]) -> Result<LedgerPage, Hindrance> {
        LedgerPage::decode_of_any(number, bytes, &self.meta).map_err(Hindrance::Unreadable)
    }

    /// The page with all epochs raised and no owners; `None` if it is so already.
    ///
    /// # Errors
    /// Its numbers are used up.
    pub fn raised(
        &self,
        number: u32,
        page: &LedgerPage,
        author: &MemberId,
    ) -> Result<Option<LedgerPage>, Hindrance> {
        if self.progress(page) != Progress::Old {
            return Ok(None);
        }
        let raise = |holding: &Holding| {
            let top = holding.top.0.checked_add(STEP).filter(|top| *top < NUMBER_MAX)?;
            Some(Holding { top: Epoch(top), ..Holding::default() })
        };
        let holdings: Option<Vec<Holding>> = page.holdings.iter().map(raise).collect();
        let holdings =
            holdings.ok_or_else(|| Hindrance::Spent(format!("an epoch of ledger page {number}")))?;
        let why = Why { reason: "recovered".into(), author: author.clone(), view: Vec::new() };
        let next = LedgerPage { holdings, why: Some(why), ..page.clone() };
        self.turned(number, next, self.interim()).map(Some)
    }

    /// The raised page as its members will read it; `None` if it is so already.
    ///
    /// # Errors
    /// Its numbers are used up; or it is not raised, since somebody wrote it meanwhile.
    pub fn finished(&self, number: u32, page: &LedgerPage) -> Result<Option<LedgerPage>, Hindrance> {
        match self.progress(page) {
            Progress::Done => Ok(None),
            Progress::Raised => self.turned(number, page.clone(), self.meta.lineage).map(Some),
            Progress::Old => Err(Hindrance::Unreadable(Incompatible {
                key: crate::record::Key::Page(number),
                why: "somebody put it back while it was recovered; recover again".into(),
            })),
        }
    }

    fn turned(&self, number: u32, page: LedgerPage, lineage: Lineage) -> Result<LedgerPage, Hindrance> {
        if !page.can_turn() {
            return Err(Hindrance::Spent(format!("the generation of ledger page {number}")));
        }
        Ok(LedgerPage { lineage, generation: page.generation + 1, ..page })
    }

    /// The member's record closed, in a line of its own: its process can't renew it, and whoever starts with that name may join at
    /// once. `None` if it is so already. What an operator wished for the member stays.
    ///
    /// While the cluster is forming nobody of the new lineage joins. So whoever has joined over a closed record does not know of it:
    /// its store gave a version out twice, and said that a page is unchanged. It is closed again, one term later.
    pub fn closed(&self, record: &MemberRecord, nobody: Process, at_ms: u64) -> Option<MemberRecord> {
        let ours = record.line == self.line();
        (!ours || record.state.is_open()).then(|| MemberRecord {
            line: self.line(),
            term: if ours { (record.term + 1).min(NUMBER_MAX) } else { 1 },
            process: nobody,
            seq: 0,
            state: MemberState::Gone,
            by: None,
            released: Released::default(),
            avoids: Vec::new(),
            wants: Vec::new(),
            stuck: Vec::new(),
            failing: Vec::new(),
            at_ms: Some(at_ms),
            ..record.clone()
        })
    }
}

#[cfg(test)]
#[path = "recovery_tests.rs"]
mod tests;
