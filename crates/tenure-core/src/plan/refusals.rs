//! Who is not to be given which shard.
//!
//! A candidate avoids the shards that failed to start there. Such a shard goes to anyone else, even above quota. When
//! *every* candidate avoids it, avoiding it helps nobody, and it is placed as if nobody did. A shard that is at home
//! with someone who avoids it stays until its home has to part with something anyway: who can't serve it releases it.

use super::picture::{Candidate, Picture};

/// The shards that some, but not all, candidates avoid.
#[derive(Debug)]
pub(super) struct Refusals {
    /// (shard, candidate), ascending.
    pairs: Vec<(u32, u32)>,
    /// For each shard whether any pair names it; empty if there are no pairs.
    named: Vec<bool>,
}

impl Refusals {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        let shards = picture.homes.len();
        let mut pairs: Vec<(u32, u32)> = (0..).zip(picture.candidates).flat_map(avoided).collect();
        pairs.retain(|&(shard, _)| (shard as usize) < shards);
        pairs.sort_unstable();
        pairs.dedup();
        let everyone = picture.candidates.len();
        let groups = pairs.chunk_by(|one, other| one.0 == other.0);
        let pairs: Vec<_> = groups.filter(|group| group.len() < everyone).flatten().copied().collect();
        Self { named: named(shards, &pairs), pairs }
    }

    /// Whether anybody avoids the shard.
    pub(super) fn names(&self, shard: u32) -> bool {
        !self.named.is_empty() && self.named[shard as usize]
    }

    /// Whether the candidate may be given the shard.
    pub(super) fn allow(&self, candidate: u32, shard: u32) -> bool {
        !self.names(shard) || self.pairs.binary_search(&(shard, candidate)).is_err()
    }
}

fn avoided((index, candidate): (u32, &Candidate)) -> impl Iterator<Item = (u32, u32)> {
    candidate.avoids.iter().map(move |shard| (shard.0, index))
}

fn named(shards: usize, pairs: &[(u32, u32)]) -> Vec<bool> {
    let mut named = vec![false; if pairs.is_empty() { 0 } else { shards }];
    for &(shard, _) in pairs {
        named[shard as usize] = true;
    }
    named
}
