//! Who is silent or proven dead, and who will be silent next, without asking every member each time something happens.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::MemberId;
use crate::moment::Moment;

/// Who is silent or proven dead, and who will be silent next.
#[derive(Debug, Default)]
pub(super) struct Vigil {
    silent_at: BTreeMap<MemberId, Moment>,
    /// Those who are not silent yet, by when they will be.
    upcoming: BTreeSet<(Moment, MemberId)>,
    silent: BTreeSet<MemberId>,
    dead: BTreeSet<MemberId>,
    changes: u64,
}

impl Vigil {
    /// Notes when a member will be silent, if it has a lease, and whether its process is proven dead, which is more than silent.
    pub(super) fn set(&mut self, id: &MemberId, silent_at: Option<Moment>, dead: bool) {
        let known = if dead { !self.dead.insert(id.clone()) } else { !self.dead.remove(id) };
        self.changes += u64::from(!known);
        if self.silent_at.get(id) == silent_at.as_ref() {
            return;
        }
        self.drop_silence(id);
        if let Some(at) = silent_at {
            self.silent_at.insert(id.clone(), at);
            self.upcoming.insert((at, id.clone()));
        }
    }

    fn drop_silence(&mut self, id: &MemberId) {
        if let Some(before) = self.silent_at.remove(id)
            && !self.upcoming.remove(&(before, id.clone()))
        {
            self.silent.remove(id);
            self.changes += 1;
        }
    }

    /// Time passed.
    pub(super) fn pass(&mut self, now: Moment) {
        while self.next().is_some_and(|at| at <= now) {
            self.silent.extend(self.upcoming.pop_first().map(|(_, id)| id));
            self.changes += 1;
        }
    }

    /// Grows whenever somebody becomes silent or dead, or is so no more.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    pub(super) fn next(&self) -> Option<Moment> {
        self.upcoming.first().map(|(at, _)| *at)
    }

    /// All who are silent or proven dead, in order.
    pub(super) fn suspects(&self) -> impl Iterator<Item = &MemberId> {
        self.silent.union(&self.dead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> MemberId {
        name.parse().unwrap()
    }

    fn at(nanos: u64) -> Moment {
        Moment::from_nanos(nanos)
    }

    fn suspects(vigil: &Vigil) -> Vec<&str> {
        vigil.suspects().map(|id| id.as_str()).collect()
    }

    #[test]
    fn a_renewal_costs_no_change_until_somebody_is_silent() {
        let mut vigil = Vigil::default();
        vigil.set(&id("a"), Some(at(10)), false);
        vigil.pass(at(5));
        vigil.set(&id("a"), Some(at(20)), false);
        vigil.pass(at(15));
        assert_eq!((vigil.changes(), vigil.next(), suspects(&vigil)), (0, Some(at(20)), vec![]));
        vigil.pass(at(20));
        assert_eq!((vigil.changes(), vigil.next(), suspects(&vigil)), (1, None, vec!["a"]));
    }

    #[test]
    fn who_is_heard_of_again_is_silent_no_more() {
        let mut vigil = Vigil::default();
        vigil.set(&id("a"), Some(at(10)), false);
        vigil.pass(at(10));
        vigil.set(&id("a"), Some(at(30)), false);
        assert_eq!((vigil.changes(), vigil.next(), suspects(&vigil)), (2, Some(at(30)), vec![]));
    }

    #[test]
    fn the_dead_are_suspects_at_once_and_those_without_a_lease_are_none() {
        let mut vigil = Vigil::default();
        vigil.set(&id("b"), None, true);
        vigil.set(&id("a"), Some(at(5)), false);
        vigil.pass(at(7));
        assert_eq!(suspects(&vigil), ["a", "b"]);
        vigil.set(&id("a"), None, false);
        vigil.set(&id("b"), None, false);
        assert_eq!((suspects(&vigil), vigil.next()), (vec![], None));
    }
}
