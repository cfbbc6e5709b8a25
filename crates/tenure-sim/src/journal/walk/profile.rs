//! What a seed draws before anything happens.

use super::Kind;
use crate::chance::Chance;

/// What comes over a journal in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing.
    Calm,
    /// Something is deleted or spoilt.
    Hurt,
    /// Everything is as it was some time ago.
    Restored,
}

/// What may happen in one seed, and how often; shares are of ten thousand.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    pub(super) on_rows: bool,
    pub(super) journals: usize,
    pub(super) steps: u64,
    /// How many starts of work there are in each journal.
    pub(super) starts: usize,
    pub(super) begins: u32,
    pub(super) same_epoch: u32,
    pub(super) reads_ahead: u32,
    pub(super) crashes: u32,
    /// How many starts of work are of another founding.
    pub(super) strangers: u32,
    pub(super) submits: u32,
    /// How many appends of one owner may be under way.
    pub(super) under_way: usize,
    pub(super) snapshots: u8,
    pub(super) old_listings: u32,
    pub(super) no_listings: u32,
    /// How likely each kind of step is.
    own: u32,
    lands: u32,
    lands_late: u32,
    lost: u32,
    twice: u32,
    shortens: u32,
    pub(super) end: End,
}

impl Profile {
    pub(super) fn draw(chance: &mut Chance) -> Self {
        let on_rows = chance.in_10k(5_000);
        Self {
            on_rows,
            journals: chance.pick(&[1, 1, 2, 3]),
            steps: chance.pick(&[100, 200, 400, 800]),
            starts: chance.pick(&[2, 3, 5, 8, 12]),
            begins: chance.pick(&[100, 300, 1_000]),
            same_epoch: chance.pick(&[0, 2_000, 5_000]),
            reads_ahead: chance.pick(&[0, 3_000, 7_000]),
            crashes: chance.pick(&[0, 20, 200]),
            strangers: chance.pick(&[0, 0, 1_000]),
            submits: chance.pick(&[500, 1_500, 3_000]),
            under_way: if on_rows { chance.pick(&[1, 2, 4]) } else { 1 },
            snapshots: chance.pick(&[0, 1, 3, 8]),
            old_listings: chance.pick(&[0, 3_000]),
            no_listings: chance.pick(&[0, 2_000]),
            own: chance.pick(&[5, 10, 20]),
            lands: chance.pick(&[3, 10]),
            lands_late: chance.pick(&[1, 1, 4]),
            lost: chance.pick(&[0, 1, 3]),
            twice: chance.pick(&[0, 0, 1]),
            shortens: chance.pick(&[1, 5]),
            end: chance.pick(&[End::Calm, End::Calm, End::Hurt, End::Restored]),
        }
    }

    pub(super) fn weight(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Own(_) => self.own,
            Kind::Shorten(_) => self.shortens,
            Kind::Claim(_) => 1,
            Kind::Land => self.lands,
            Kind::LandLate => self.lands_late,
            Kind::Lose => self.lost,
            Kind::Twice => self.twice,
        }
    }
}
