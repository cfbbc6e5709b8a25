//! A shard is moved only if that evens out the loads, heirs counted as arrived (C4): so the moving ends.

use tenure_core::ids::Life;
use tenure_core::plan::{Balance, Candidate, Picture};
use tenure_core::record::{Holding, LedgerPage};

use crate::promises::{Promise, Verdict};

/// A ledger of one page, and among whom its author divides it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Division<'a> {
    pub(crate) candidates: &'a [Candidate],
    pub(crate) spread_zones: bool,
}

impl Division<'_> {
    /// Watches the promises of a page that is sent for the sake of balance.
    pub(crate) fn moves(&self, old: &LedgerPage, new: &LedgerPage) -> Verdict {
        let homes: Vec<Option<u32>> = old.holdings.iter().map(|holding| self.home(holding)).collect();
        let picture = Picture { candidates: self.candidates, homes: &homes, spread_zones: self.spread_zones };
        let before = Balance::new(&picture);
        let mut after = before.clone();
        for (shard, (home, holding)) in homes.iter().zip(&new.holdings).enumerate() {
            let (Some(from), Some(to)) = (*home, self.home(holding)) else { continue };
            if from == to {
                continue;
            }
            if !before.improves(from, to) && !after.improves(from, to) {
                return Err((Promise::Settles, self.in_vain(shard, from, to)));
            }
            after.moved(from, to);
        }
        Ok(())
    }

    /// Where a shard is, or will be.
    fn home(&self, holding: &Holding) -> Option<u32> {
        let heir = holding.heir.as_ref().map(|heir| &heir.life);
        self.place(heir.or(holding.owner.as_ref())?)
    }

    fn place(&self, life: &Life) -> Option<u32> {
        self.candidates.iter().position(|candidate| candidate.id == *life.id()).map(|place| place as u32)
    }

    fn in_vain(&self, shard: usize, from: u32, to: u32) -> String {
        let id = |place: u32| &self.candidates[place as usize].id;
        format!("s{shard} moves from {} to {}, which evens out nothing", id(from), id(to))
    }
}
