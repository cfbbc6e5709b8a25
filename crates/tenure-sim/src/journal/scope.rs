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
    /// How many writes may land twice.
    pub copies: u8,
    /// How many appends of one owner may be under way at once; on names, always one.
    pub under_way: usize,
    /// The last owner is of another founding.
    pub has_stranger: bool,
}

impl Scope {
    const NONE: Self =
        Self { name: "", owners: &[], losses: 0, in_flight: 0, copies: 0, under_way: 1, has_stranger: false };

    /// No owners yet, and as many faults as a walk likes.
    pub(super) const UNBOUND: Self =
        Self { name: "unbound", losses: u8::MAX, in_flight: 12, copies: u8::MAX, ..Self::NONE };

    /// Two owners with late writes and lost answers.
    pub const HANDOVER: Self =
        Self { name: "handover", owners: &[(1, 2, 1), (2, 1, 0)], losses: 1, in_flight: 2, ..Self::NONE };
    /// Snapshots beside appends, removals late.
    pub const SNAPSHOTS: Self =
        Self { name: "snapshots", owners: &[(1, 2, 2), (2, 1, 1)], in_flight: 3, ..Self::NONE };
    /// Three owners: a late fence may stand where an entry was truncated.
    pub const THREE: Self =
        Self { name: "three", owners: &[(1, 1, 1), (2, 0, 0), (3, 1, 0)], in_flight: 2, ..Self::NONE };
    /// Two starts of work in one epoch.
    pub const RESTART: Self =
        Self { name: "restart", owners: &[(1, 1, 1), (1, 1, 0)], losses: 1, in_flight: 2, ..Self::NONE };
    /// Three owners that all write: minutes of search.
    pub const WIDE: Self = Self {
        name: "wide",
        owners: &[(1, 1, 1), (2, 1, 1), (3, 1, 0)],
        losses: 1,
        in_flight: 2,
        ..Self::NONE
    };

    /// Those of names that take seconds.
    pub const OF_NAMES: [Self; 4] = [Self::HANDOVER, Self::SNAPSHOTS, Self::THREE, Self::RESTART];

    /// Two owners, three appends of each under way.
    pub const STREAMS: Self = Self {
        name: "streams",
        owners: &[(1, 3, 0), (2, 2, 0)],
        losses: 2,
        in_flight: 4,
        under_way: 3,
        ..Self::NONE
    };
    /// Two starts of work in one epoch, and one of the next; writes land twice.
    pub const AGAIN: Self = Self {
        name: "again",
        owners: &[(1, 2, 0), (1, 1, 0), (2, 1, 0)],
        losses: 1,
        in_flight: 3,
        copies: 1,
        under_way: 2,
        ..Self::NONE
    };
    /// Two starts of work in one epoch that write much, with writes that land twice.
    pub const TWICE: Self = Self {
        name: "twice",
        owners: &[(1, 2, 0), (1, 1, 0)],
        losses: 2,
        in_flight: 3,
        copies: 1,
        under_way: 2,
        ..Self::NONE
    };
    /// Snapshots of two owners and a deposed one beside appends.
    pub const SHORTER: Self = Self {
        name: "shorter",
        owners: &[(1, 2, 2), (2, 1, 1)],
        losses: 1,
        in_flight: 3,
        copies: 1,
        ..Self::NONE
    };
    /// An owner of another founding.
    pub const STRANGER: Self = Self {
        name: "stranger",
        owners: &[(1, 1, 0), (2, 1, 1), (2, 1, 1)],
        losses: 1,
        in_flight: 2,
        has_stranger: true,
        ..Self::NONE
    };

    /// Those of rows.
    pub const OF_ROWS: [Self; 5] = [Self::STREAMS, Self::AGAIN, Self::TWICE, Self::SHORTER, Self::STRANGER];
}
