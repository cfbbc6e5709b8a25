//! What somebody does to the names behind the journal's back, and whether a reader could notice.

use tenure_core::journal::Seq;

use super::store::{Name, Names, Store};
use crate::chance::Chance;
use crate::journal::history::ToyEntry;

impl Store {
    /// Removes or spoils something that is live. Says what.
    pub(super) fn hurt(&mut self, chance: &mut Chance) -> Option<String> {
        let name = chance.pick(&self.names.live()?);
        self.is_damaged = true;
        if chance.in_10k(5_000) {
            self.names.spoilt.insert(name);
            return Some(format!("{name:?} is spoilt"));
        }
        match name {
            Name::Head => self.names.head = None,
            Name::Entry(seq) => drop(self.names.log.remove(&seq)),
            Name::Snapshot(name) => drop(self.names.snapshots.remove(&name)),
        }
        Some(format!("{name:?} is deleted"))
    }

    /// Puts everything back as it was.
    pub(super) fn restore(&mut self, copy: Names) {
        (self.names, self.is_damaged) = (copy, true);
    }
}

impl Names {
    fn start(&self) -> Seq {
        self.head.as_ref().map_or(Seq::FIRST, |(_, head)| head.start)
    }

    /// The names that the state rests on; `None` while there is nothing.
    fn live(&self) -> Option<Vec<Name>> {
        let (_, head) = self.head.as_ref()?;
        let entries = self.log.range(head.start..).map(|(seq, _)| Name::Entry(*seq));
        Some([Name::Head].into_iter().chain(head.snapshot.map(Name::Snapshot)).chain(entries).collect())
    }

    /// Whether somebody who reads all that is there can tell that this is no journal that its authors left. Written without a look
    /// at how the machines find out.
    pub(super) fn is_visibly_damaged(&self) -> bool {
        let Some((_, head)) = &self.head else { return !self.log.is_empty() };
        if self.spoilt.contains(&Name::Head) {
            return true;
        }
        if let Some(name) = head.snapshot
            && (!self.snapshots.contains_key(&name) || self.spoilt.contains(&Name::Snapshot(name)))
        {
            return true;
        }
        let live: Vec<(Seq, &ToyEntry)> =
            self.log.range(self.start()..).map(|(seq, entry)| (*seq, entry)).collect();
        let has_hole = live.iter().zip(self.start().0..).any(|((seq, _), place)| seq.0 != place);
        has_hole
            || live.iter().any(|(seq, _)| self.spoilt.contains(&Name::Entry(*seq)))
            || is_disordered(&live)
    }
}

/// Epochs fall, or records stand after the fence of somebody else.
fn is_disordered(live: &[(Seq, &ToyEntry)]) -> bool {
    live.windows(2).any(|pair| {
        let [(_, before), (_, after)] = pair else { return false };
        after.author.epoch < before.author.epoch || after.batch.is_some() && after.author != before.author
    })
}
