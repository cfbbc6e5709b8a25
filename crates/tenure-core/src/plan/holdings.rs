//! The shards of each home, as they were before the plan.

use super::draft::Draft;

/// All shards, in the order of their homes.
#[derive(Debug)]
pub(super) struct Holdings {
    owners: Vec<Option<u32>>,
    /// Where each candidate's shards begin; one entry more than candidates.
    starts: Vec<usize>,
    shards: Vec<u32>,
}

impl Holdings {
    /// Sorted by counting. Where nobody has a surplus nobody will ask, and nothing is sorted.
    pub(super) fn new(draft: &Draft<'_>) -> Self {
        let count = draft.candidates.len();
        let mut holdings = Self { owners: Vec::new(), starts: vec![0; count + 1], shards: Vec::new() };
        if (0..count as u32).any(|candidate| draft.surplus(candidate) > 0) {
            holdings.sort(draft);
        }
        holdings
    }

    fn sort(&mut self, draft: &Draft<'_>) {
        self.owners.clone_from(&draft.homes);
        for (at, load) in draft.balance.loads().iter().enumerate() {
            self.starts[at + 1] = self.starts[at] + *load as usize;
        }
        let mut next = self.starts.clone();
        self.shards = vec![0; next[next.len() - 1]];
        for (shard, owner) in (0_u32..).zip(&self.owners) {
            let Some(owner) = *owner else { continue };
            self.shards[next[owner as usize]] = shard;
            next[owner as usize] += 1;
        }
    }

    /// The shards that a candidate had, ascending.
    pub(super) fn of(&self, candidate: u32) -> &[u32] {
        let at = candidate as usize;
        &self.shards[self.starts[at]..self.starts[at + 1]]
    }

    /// Who had a shard.
    pub(super) fn owner(&self, shard: u32) -> Option<u32> {
        self.owners.get(shard as usize).copied().flatten()
    }
}
