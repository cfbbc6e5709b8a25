//! How many shards each candidate should have.
//!
//! First the zones divide all shards equally, then the members of each zone divide its part by weight. In two steps
//! rather than by one list of adjusted weights: so a change inside a zone never moves a shard of another.

use super::apportion::apportion;
use super::balance::Balance;

/// What each zone and each candidate is due.
#[derive(Debug)]
pub(super) struct Quotas {
    zones: Vec<u64>,
    candidates: Vec<u64>,
}

impl Quotas {
    /// The quotas of `shards` shards, nearest to the loads of `balance` where several would do.
    pub(super) fn new(shards: usize, balance: &Balance) -> Self {
        let zones = apportion(shards as u64, &vec![1; balance.zones().count()], balance.zone_loads());
        let mut quotas = Self { zones, candidates: vec![0; balance.loads().len()] };
        for zone in 0..quotas.zones.len() {
            quotas.divide(zone, balance);
        }
        quotas
    }

    fn divide(&mut self, zone: usize, balance: &Balance) {
        let members: Vec<u32> = balance.zones().members(zone).collect();
        let weights: Vec<u64> = members.iter().map(|&member| balance.weight(member)).collect();
        let held: Vec<u64> = members.iter().map(|&member| balance.load(member)).collect();
        for (member, due) in members.iter().zip(apportion(self.zones[zone], &weights, &held)) {
            self.candidates[*member as usize] = due;
        }
    }

    pub(super) fn of(&self, candidate: u32) -> u64 {
        self.candidates[candidate as usize]
    }

    pub(super) fn of_zone(&self, zone: usize) -> u64 {
        self.zones[zone]
    }
}
