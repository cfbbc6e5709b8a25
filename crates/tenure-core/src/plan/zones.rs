//! Which candidates run in the same place.

use std::collections::BTreeSet;

use super::picture::Picture;

/// The zone of each candidate, by number. Where zones do not matter all are in one.
#[derive(Clone, Debug)]
pub(super) struct Zones {
    of: Vec<u32>,
    count: usize,
}

impl Zones {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        if !picture.spread_zones {
            return Self { of: vec![0; picture.candidates.len()], count: 1 };
        }
        let name = |index: usize| picture.candidates[index].zone.as_deref();
        let names: BTreeSet<_> = (0..picture.candidates.len()).map(name).collect();
        let names: Vec<_> = names.into_iter().collect();
        let number = |index: usize| names.partition_point(|&other| other < name(index)) as u32;
        Self { of: (0..picture.candidates.len()).map(number).collect(), count: names.len() }
    }

    pub(super) fn of(&self, candidate: u32) -> usize {
        self.of[candidate as usize] as usize
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The candidates of a zone, ascending.
    pub(super) fn members(&self, zone: usize) -> impl Iterator<Item = u32> + '_ {
        (0..self.of.len() as u32).filter(move |&candidate| self.of(candidate) == zone)
    }
}
