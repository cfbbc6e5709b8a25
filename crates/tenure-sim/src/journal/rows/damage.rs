//! What somebody does to the tables behind the journal's back, and whether a reader could notice.

use tenure_core::journal::Seq;

use super::table::{Store, Tables};
use crate::chance::Chance;

impl Store {
    /// Deletes something that is live. Says what.
    pub(super) fn hurt(&mut self, chance: &mut Chance) -> Option<String> {
        self.tables.fence?;
        self.is_damaged = true;
        let seqs: Vec<Seq> = self.tables.entries.keys().copied().collect();
        let hurt = match (chance.below(4), self.tables.snapshot) {
            (0, _) => {
                self.tables.fence = None;
                "the row is deleted".to_owned()
            }
            (1, Some((upto, _))) => {
                self.tables.snapshot = None;
                format!("the snapshot of {upto} is deleted")
            }
            (_, _) => {
                let seq = seqs.get(chance.place(seqs.len()))?;
                self.tables.entries.remove(seq);
                format!("entry {seq} is deleted")
            }
        };
        Some(hurt)
    }

    /// Puts everything back as it was.
    pub(super) fn restore(&mut self, copy: Tables) {
        (self.tables, self.is_damaged) = (copy, true);
    }
}

impl Tables {
    /// Whether somebody who reads all that is there can tell that this is no journal that its authors left.
    pub(super) fn is_visibly_damaged(&self) -> bool {
        let Some(fence) = &self.fence else { return self.snapshot.is_some() || !self.entries.is_empty() };
        let has_snapshot = self.snapshot.is_some_and(|(upto, _)| upto.next() == fence.start);
        let is_whole = (fence.start.0..=fence.last.0).eq(self.entries.keys().map(|seq| seq.0));
        !is_whole || fence.start > Seq::FIRST && !has_snapshot
    }
}
