//! The placements, by name, and the one function that all members agree on.

use super::picture::Picture;
use super::{external::External, ranges::Ranges, rendezvous::Rendezvous, ring::Ring};

/// The version of everything here that decides a plan. It is stored in `meta`; only members that know that version
/// propose moves. Whoever changes a golden vector raises it.
pub const PLAN_VERSION: u32 = 1;

/// How shards are divided, chosen per cluster and stored in `meta` so that all members agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Each shard prefers the member with the highest weighted score: well mixed, no order.
    #[default]
    Rendezvous,
    /// Consistent hashing with virtual nodes per weight.
    Ring,
    /// Contiguous runs of shards, balanced by member order.
    Ranges,
    /// Someone else says who should own what.
    External,
}

/// A way to place shards.
///
/// An implementation is pure and sticky: a shard keeps its home unless balance, or the external word, wants it
/// elsewhere; and the plan of a picture that already looks as planned changes nothing.
pub trait Places: Sync {
    /// The home that each shard should have, as an index into the candidates.
    fn homes(&self, picture: &Picture<'_>) -> Vec<Option<u32>>;

    /// Whether its moves even out loads, so that each of them passes [`Balance::improves`](super::Balance::improves).
    /// Where not, each shard moves once for each change of wishes, and that is what ends the moving.
    fn evens_out(&self) -> bool {
        true
    }
}

impl Placement {
    /// All placements.
    pub const ALL: [Self; 4] = [Self::Rendezvous, Self::Ring, Self::Ranges, Self::External];

    /// Its name in settings and in `meta`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rendezvous => "rendezvous",
            Self::Ring => "ring",
            Self::Ranges => "ranges",
            Self::External => "external",
        }
    }

    /// The placement of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|placement| placement.name() == name)
    }

    /// What it does.
    pub fn places(self) -> &'static dyn Places {
        match self {
            Self::Rendezvous => &Rendezvous,
            Self::Ring => &Ring,
            Self::Ranges => &Ranges,
            Self::External => &External,
        }
    }
}

/// The home that each shard should have. `None` where there is nobody to give it to.
pub fn plan(placement: Placement, picture: &Picture<'_>) -> Vec<Option<u32>> {
    placement.places().homes(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placement_is_found_by_its_name() {
        for placement in Placement::ALL {
            assert_eq!(Placement::parse(placement.name()), Some(placement));
        }
        assert_eq!(Placement::parse("Ring"), None);
    }
}
