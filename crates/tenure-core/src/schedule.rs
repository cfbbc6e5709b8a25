//! What is to be looked at when: the earliest is found without asking all of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::moment::Moment;

/// When each of many things is to be looked at.
#[derive(Debug)]
pub(crate) struct Schedule<K> {
    by_time: BTreeSet<(Moment, K)>,
    by_key: BTreeMap<K, Moment>,
}

impl<K> Default for Schedule<K> {
    fn default() -> Self {
        Self { by_time: BTreeSet::new(), by_key: BTreeMap::new() }
    }
}

impl<K: Ord + Clone> Schedule<K> {
    /// From now on `key` is due at this moment, or not at all.
    pub(crate) fn set(&mut self, key: &K, due: Option<Moment>) {
        if self.by_key.get(key) == due.as_ref() {
            return;
        }
        if let Some(before) = self.by_key.remove(key) {
            self.by_time.remove(&(before, key.clone()));
        }
        if let Some(due) = due {
            self.by_key.insert(key.clone(), due);
            self.by_time.insert((due, key.clone()));
        }
    }

    pub(crate) fn earliest(&self) -> Option<Moment> {
        self.by_time.first().map(|(at, _)| *at)
    }

    /// What is due by `now`, in the order of its keys.
    pub(crate) fn due(&self, now: Moment) -> BTreeSet<K> {
        self.by_time.iter().take_while(|(at, _)| *at <= now).map(|(_, key)| key.clone()).collect()
    }

    /// Takes out what is due first, if that is by `now`.
    pub(crate) fn pop(&mut self, now: Moment) -> Option<(Moment, K)> {
        self.earliest().filter(|at| *at <= now)?;
        let first = self.by_time.pop_first()?;
        self.by_key.remove(&first.1);
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Moment {
        Moment::from_nanos(nanos)
    }

    #[test]
    fn the_earliest_is_known_and_what_is_due_comes_in_the_order_of_keys() {
        let mut schedule = Schedule::default();
        schedule.set(&7, Some(at(10)));
        schedule.set(&2, Some(at(30)));
        schedule.set(&1, Some(at(20)));
        assert_eq!((schedule.earliest(), schedule.due(at(5))), (Some(at(10)), BTreeSet::new()));
        assert_eq!(schedule.due(at(20)), BTreeSet::from([1, 7]));
    }

    #[test]
    fn what_is_set_anew_or_no_more_due_leaves_nothing_behind() {
        let mut schedule = Schedule::default();
        schedule.set(&7, Some(at(10)));
        schedule.set(&7, Some(at(40)));
        assert_eq!(schedule.earliest(), Some(at(40)));
        schedule.set(&7, None);
        assert_eq!((schedule.earliest(), schedule.due(at(99))), (None, BTreeSet::new()));
    }

    #[test]
    fn what_is_due_is_taken_out_once_the_earliest_first() {
        let mut schedule = Schedule::default();
        schedule.set(&1, Some(at(20)));
        schedule.set(&7, Some(at(10)));
        assert_eq!(schedule.pop(at(9)), None);
        assert_eq!(schedule.pop(at(20)), Some((at(10), 7)));
        assert_eq!(schedule.pop(at(20)), Some((at(20), 1)));
        assert_eq!((schedule.pop(at(20)), schedule.earliest()), (None, None));
    }
}
