//! Who is silent or proven dead, and who will be silent next, without asking every member each time something happens.

use std::collections::BTreeMap;

use crate::ids::MemberId;
use crate::moment::Moment;
use crate::schedule::Schedule;

/// Why a member is suspected.
#[derive(Debug, PartialEq, Eq)]
enum Suspicion {
    /// It is silent since this moment.
    Silent(Moment),
    /// Its process is proven dead, which is more than silent.
    Dead,
}

/// Who is silent or proven dead, and who will be silent next.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    suspected: BTreeMap<MemberId, Suspicion>,
    /// Those who are not silent yet, by when they will be.
    upcoming: Schedule<MemberId>,
    changes: u64,
}

impl Suspects {
    /// Notes when a member will be silent, if it has a lease.
    pub(super) fn will_be_silent(&mut self, id: &MemberId, at: Option<Moment>) {
        if at.is_some_and(|at| self.suspected.get(id) == Some(&Suspicion::Silent(at))) {
            return;
        }
        self.changes += u64::from(self.suspected.remove(id).is_some());
        self.upcoming.set(id, at);
    }

    /// Notes that a member's process is proven dead.
    pub(super) fn is_dead(&mut self, id: &MemberId) {
        let before = self.suspected.insert(id.clone(), Suspicion::Dead);
        self.changes += u64::from(before != Some(Suspicion::Dead));
        self.upcoming.set(id, None);
    }

    /// Time passed.
    pub(super) fn pass(&mut self, now: Moment) {
        while let Some((at, id)) = self.upcoming.pop(now) {
            self.suspected.insert(id, Suspicion::Silent(at));
            self.changes += 1;
        }
    }

    /// Grows whenever somebody becomes silent or dead, or is so no more.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    pub(super) fn next(&self) -> Option<Moment> {
        self.upcoming.earliest()
    }

    /// All who are silent or proven dead, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = &MemberId> {
        self.suspected.keys()
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

    fn names(suspects: &Suspects) -> Vec<&str> {
        suspects.all().map(|id| id.as_str()).collect()
    }

    #[test]
    fn a_renewal_costs_no_change_until_somebody_is_silent() {
        let mut suspects = Suspects::default();
        suspects.will_be_silent(&id("a"), Some(at(10)));
        suspects.pass(at(5));
        suspects.will_be_silent(&id("a"), Some(at(20)));
        suspects.pass(at(15));
        assert_eq!((suspects.changes(), suspects.next(), names(&suspects)), (0, Some(at(20)), vec![]));
        suspects.pass(at(20));
        assert_eq!((suspects.changes(), suspects.next(), names(&suspects)), (1, None, vec!["a"]));
    }

    #[test]
    fn who_is_heard_of_again_is_silent_no_more() {
        let mut suspects = Suspects::default();
        suspects.will_be_silent(&id("a"), Some(at(10)));
        suspects.pass(at(10));
        suspects.will_be_silent(&id("a"), Some(at(30)));
        assert_eq!((suspects.changes(), suspects.next(), names(&suspects)), (2, Some(at(30)), vec![]));
    }

    #[test]
    fn the_dead_are_suspects_at_once_and_those_without_a_lease_are_none() {
        let mut suspects = Suspects::default();
        suspects.is_dead(&id("b"));
        suspects.will_be_silent(&id("a"), Some(at(5)));
        suspects.pass(at(7));
        assert_eq!(names(&suspects), ["a", "b"]);
        suspects.will_be_silent(&id("a"), None);
        suspects.will_be_silent(&id("b"), None);
        assert_eq!((names(&suspects), suspects.next()), (vec![], None));
    }
}
