//! What a plan is made from.

use crate::ids::{MemberId, ShardId};

/// A member that may own shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name: the only thing about it that hashes look at.
    pub id: MemberId,
    /// How much it should own compared to others; at least 1 (0 is read as 1).
    pub weight: u32,
    /// Where it runs. Candidates without a zone are one zone together.
    pub zone: Option<String>,
    /// The shards that someone else says it should own, ascending. Only the external placement looks at them.
    pub wants: Vec<ShardId>,
    /// The shards that it should not be given, ascending, such as those that failed to start there.
    pub avoids: Vec<ShardId>,
}

impl Candidate {
    /// A candidate of weight 1, without zone, wishes or aversions.
    pub fn new(id: MemberId) -> Self {
        Self { id, weight: 1, zone: None, wants: Vec::new(), avoids: Vec::new() }
    }

    pub(super) fn share(&self) -> u64 {
        u64::from(self.weight.max(1))
    }
}

/// Who may own shards, and who has them now.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The candidates, ascending by id, each id once.
    pub candidates: &'a [Candidate],
    /// For each shard the index of the candidate that has it, or will have it (an heir counts as the owner).
    /// `None`: nobody who is a candidate.
    pub homes: &'a [Option<u32>],
    /// Whether all zones get the same share, however many members each has.
    pub spread_zones: bool,
}

impl Picture<'_> {
    /// The home of a shard, if it is a candidate's.
    pub(super) fn home(&self, shard: usize) -> Option<u32> {
        self.homes[shard].filter(|&home| (home as usize) < self.candidates.len())
    }

    /// The home of every shard, none where it is no candidate's.
    pub(super) fn known_homes(&self) -> Vec<Option<u32>> {
        (0..self.homes.len()).map(|shard| self.home(shard)).collect()
    }
}
