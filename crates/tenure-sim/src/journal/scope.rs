//! The bounds of a search.

/// How much happens.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// Its name.
    pub name: &'static str,
    /// For each start of work: epoch, appends, snapshots.
    pub owners: &'static [(u64, u8, u8)],
    /// How many answers may be lost.
    pub losses: u8,
    /// How many writes may be on their way at once.
    pub in_flight: usize,
}

impl Scope {
    /// Two owners with late writes and lost answers.
    pub const HANDOVER: Self =
        Self { name: "handover", owners: &[(1, 2, 1), (2, 1, 0)], losses: 1, in_flight: 2 };
    /// Snapshots beside appends, removals late.
    pub const SNAPSHOTS: Self =
        Self { name: "snapshots", owners: &[(1, 2, 2), (2, 1, 1)], losses: 0, in_flight: 3 };
    /// Three owners: a late fence may stand where an entry was truncated.
    pub const THREE: Self =
        Self { name: "three", owners: &[(1, 1, 1), (2, 0, 0), (3, 1, 0)], losses: 0, in_flight: 2 };
    /// Two starts of work in one epoch.
    pub const RESTART: Self =
        Self { name: "restart", owners: &[(1, 1, 1), (1, 1, 0)], losses: 1, in_flight: 2 };

    /// Three owners that all write: minutes of search.
    pub const WIDE: Self =
        Self { name: "wide", owners: &[(1, 1, 1), (2, 1, 1), (3, 1, 0)], losses: 1, in_flight: 2 };

    /// Those that take seconds.
    pub const ALL: [Self; 4] = [Self::HANDOVER, Self::SNAPSHOTS, Self::THREE, Self::RESTART];
}
