//! A plan being made: where shards are so far, and who has room for more.

use super::balance::Balance;
use super::picture::{Candidate, Picture};
use super::quota::Quotas;
use super::refusals::Refusals;

/// A plan being made.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) candidates: &'a [Candidate],
    pub(super) balance: Balance,
    pub(super) quotas: Quotas,
    pub(super) refusals: Refusals,
    pub(super) homes: Vec<Option<u32>>,
    /// How many more shards each may get in the present phase.
    room: Vec<u64>,
    /// Those who had room when the phase began, ascending.
    takers: Vec<u32>,
}

/// A candidate and a number of shards.
pub(super) type Share = (u32, u64);

impl<'a> Draft<'a> {
    pub(super) fn new(picture: &Picture<'a>) -> Self {
        let balance = Balance::new(picture);
        Self {
            candidates: picture.candidates,
            quotas: Quotas::new(picture.homes.len(), &balance),
            refusals: Refusals::new(picture),
            homes: picture.known_homes(),
            room: vec![0; picture.candidates.len()],
            takers: Vec::new(),
            balance,
        }
    }

    /// Begins a phase in which only these have room.
    pub(super) fn open(&mut self, rooms: &[Share]) {
        self.room.fill(0);
        self.takers.clear();
        for &(taker, room) in rooms {
            self.room[taker as usize] = room;
            self.takers.push(taker);
        }
    }

    /// Those who had room when the phase began.
    pub(super) fn takers(&self) -> &[u32] {
        &self.takers
    }

    pub(super) fn has_room(&self, candidate: u32) -> bool {
        self.room[candidate as usize] > 0
    }

    /// Whether the candidate has room and may be given this shard.
    pub(super) fn takes(&self, candidate: u32, shard: u32) -> bool {
        self.has_room(candidate) && self.refusals.allow(candidate, shard)
    }

    /// Whether anyone could be given the shard in this phase.
    pub(super) fn somebody_takes(&self, shard: u32) -> bool {
        !self.refusals.names(shard) || self.takers.iter().any(|&taker| self.takes(taker, shard))
    }

    pub(super) fn home(&self, shard: u32) -> Option<u32> {
        self.homes[shard as usize]
    }

    /// Gives a homeless shard to someone with room.
    pub(super) fn give(&mut self, shard: u32, to: u32) {
        self.room[to as usize] -= 1;
        self.place(shard, to);
    }

    /// Gives a homeless shard to anyone.
    pub(super) fn place(&mut self, shard: u32, to: u32) {
        self.homes[shard as usize] = Some(to);
        self.balance.placed(to);
    }

    /// Makes a shard homeless.
    pub(super) fn release(&mut self, shard: u32) {
        if let Some(home) = self.homes[shard as usize].take() {
            self.balance.parted(home);
        }
    }

    /// By how much a candidate is above its quota.
    pub(super) fn surplus(&self, candidate: u32) -> u64 {
        self.balance.load(candidate).saturating_sub(self.quotas.of(candidate))
    }

    /// By how much a candidate is below its quota.
    pub(super) fn lack(&self, candidate: u32) -> u64 {
        self.quotas.of(candidate).saturating_sub(self.balance.load(candidate))
    }

    /// Gives what nobody with room may take to whoever may and carries it most easily.
    pub(super) fn house_strays(&mut self) {
        for shard in 0..self.homes.len() as u32 {
            if self.home(shard).is_none() {
                self.house(shard);
            }
        }
    }

    fn house(&mut self, shard: u32) {
        let willing =
            (0..self.candidates.len() as u32).filter(|&candidate| self.refusals.allow(candidate, shard));
        if let Some(lightest) = willing.min_by(|&one, &other| self.balance.lighter(one, other)) {
            self.place(shard, lightest);
        }
    }
}
