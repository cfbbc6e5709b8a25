//! Whether a move is worth its while.
//!
//! Each planned move must lower a number that cannot fall for ever, else two planners with changing views could pass
//! shards to and fro without end. The number is Φ = Σ load²/weight, kept in whole numbers: no rounding decides whether
//! a move is good. With zones there are two, the first deciding: Σ (load of a zone)², then Φ inside a zone.

use std::cmp::Ordering;

use super::picture::Picture;
use super::zones::Zones;

/// The loads of all candidates, and what a move would do to Φ.
#[derive(Clone, Debug)]
pub struct Balance {
    loads: Vec<u64>,
    weights: Vec<u64>,
    zones: Zones,
    zone_loads: Vec<u64>,
}

impl Balance {
    /// The loads as the picture shows them.
    pub fn new(picture: &Picture<'_>) -> Self {
        let zones = Zones::new(picture);
        let weights: Vec<u64> = picture.candidates.iter().map(|candidate| candidate.share()).collect();
        let zone_loads = vec![0; zones.count()];
        let mut balance = Self { loads: vec![0; weights.len()], weights, zones, zone_loads };
        balance.count(picture);
        balance
    }

    fn count(&mut self, picture: &Picture<'_>) {
        for home in (0..picture.homes.len()).filter_map(|shard| picture.home(shard)) {
            self.loads[home as usize] += 1;
        }
        for (candidate, load) in (0_u32..).zip(&self.loads) {
            self.zone_loads[self.zones.of(candidate)] += load;
        }
    }

    /// Whether moving one shard lowers Φ. Between zones that do not differ by two it never does.
    pub fn improves(&self, from: u32, to: u32) -> bool {
        let (here, there) = (self.zones.of(from), self.zones.of(to));
        if here != there {
            return self.zone_loads[here] > self.zone_loads[there] + 1;
        }
        let (load, room) = (u128::from(self.load(from)), u128::from(self.load(to)));
        from != to && (2 * load).saturating_sub(1) * self.scale(to) > (2 * room + 1) * self.scale(from)
    }

    /// Notes that a shard moved.
    pub fn moved(&mut self, from: u32, to: u32) {
        self.parted(from);
        self.placed(to);
    }

    /// Notes that a shard that was nobody's went to `to`.
    pub fn placed(&mut self, to: u32) {
        self.loads[to as usize] += 1;
        self.zone_loads[self.zones.of(to)] += 1;
    }

    /// Notes that a shard of `from` is nobody's now.
    pub fn parted(&mut self, from: u32) {
        let zone = self.zones.of(from);
        self.loads[from as usize] = self.load(from).saturating_sub(1);
        self.zone_loads[zone] = self.zone_loads[zone].saturating_sub(1);
    }

    /// How many shards a candidate has.
    pub fn load(&self, candidate: u32) -> u64 {
        self.loads[candidate as usize]
    }

    pub(super) fn weight(&self, candidate: u32) -> u64 {
        self.weights[candidate as usize]
    }

    fn scale(&self, candidate: u32) -> u128 {
        u128::from(self.weight(candidate))
    }

    pub(super) fn loads(&self) -> &[u64] {
        &self.loads
    }

    pub(super) fn zone_loads(&self) -> &[u64] {
        &self.zone_loads
    }

    pub(super) fn zones(&self) -> &Zones {
        &self.zones
    }

    /// Which of two would carry one more shard at less cost.
    pub(super) fn lighter(&self, one: u32, other: u32) -> Ordering {
        let zone_load = |candidate: u32| self.zone_loads[self.zones.of(candidate)];
        let cost = |of: u32, scaled_by: u32| (2 * u128::from(self.load(of)) + 1) * self.scale(scaled_by);
        zone_load(one).cmp(&zone_load(other)).then_with(|| cost(one, other).cmp(&cost(other, one)))
    }
}
