//! Decides when the reaper ends a warden that doesn't do its work, and when the kernel ends the reaper.
//!
//! ```text
//!   acts ─────────────────┤ valid_until − allowance: the warden kills all that runs
//!                         ├────┤ − ¾: does anything run? if nothing does, all is well
//!                         ├─────────┤ − ½: something still runs? the warden is killed, and all below it
//!                         ├──────────────┤ − ¼: the guard, a timer of the kernel, kills the reaper, and the warden with it
//!                         ├───────────────────┤ valid_until
//! ```
//! When the member is gone, the warden has the allowance to end everything, itself included.
//!
//! The guard is for the time when everybody is frozen; whoever is not moves it with every renewal. It is taken away only when
//! nothing runs, and nothing is started before it is set. Between "nothing runs" and "taken away" something could begin: so
//! it is *said* to be off before anybody looks ([`Vigil::asks`]), and what begins asks for it after it can be seen.
//!
//! The next life's lease says nothing about what the last one left: until nothing of that runs, the guard stays where it was, and
//! is said to be off, so that nothing new begins.

use std::time::Duration;

use super::message::Term;
use crate::moment::Moment;

/// Watches one warden.
#[derive(Debug)]
pub struct Vigil {
    allowance: Duration,
    /// The lease that is watched over.
    term: Term,
    /// Another life has begun, and what ran in the last one may still run.
    between: bool,
    /// When the warden must have nothing left that runs.
    due: Option<Moment>,
    /// When to look next.
    look: Option<Moment>,
    guard: Option<Moment>,
    orphaned: bool,
    failed: bool,
}

/// What follows from a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    /// All is well, so far.
    Leave,
    /// Kill the warden, and all that runs below it.
    Kill,
}

impl Vigil {
    /// A vigil over a warden whose member has no lease yet.
    pub fn new(allowance: Duration) -> Self {
        let (term, due, look, guard) = (Term::default(), None, None, None);
        Self { allowance, term, between: false, due, look, guard, orphaned: false, failed: false }
    }

    /// What the register says.
    pub fn lease(&mut self, now: Moment, term: Term) {
        if self.orphaned || self.failed || self.between || term == self.term {
            return;
        }
        if term.life != self.term.life && self.due.is_some() {
            (self.between, self.look) = (true, Some(now));
            return;
        }
        self.term = term;
        if term.until == Moment::ZERO {
            // Nobody else may own before the lease's end, however early it was given up: what runs has until then to end.
            return;
        }
        let due = term.until - self.allowance / 2;
        if due <= now {
            return self.hurry(now);
        }
        self.guard = Some(term.until - self.allowance / 4);
        self.expect(due);
    }

    /// The member is gone.
    pub fn orphaned(&mut self, now: Moment) {
        self.orphaned = true;
        self.hurry(now);
    }

    /// Everything must have ended within the allowance, if not earlier.
    fn hurry(&mut self, now: Moment) {
        let soon = now + self.allowance;
        self.expect(self.due.map_or(soon, |due| due.min(soon)));
    }

    fn expect(&mut self, due: Moment) {
        (self.due, self.look) = (Some(due), Some(due - self.allowance / 4));
    }

    /// Whether it is time to look what runs below the warden. Say that the guard is off before you do.
    pub fn asks(&self, now: Moment) -> bool {
        self.look.is_some_and(|look| look <= now)
    }

    /// Whether anything runs below the warden was looked up.
    pub fn seen(&mut self, now: Moment, busy: bool) -> Vote {
        let Some(due) = self.due.filter(|_| self.asks(now)) else { return Vote::Leave };
        if !busy && !self.orphaned {
            (self.due, self.look, self.guard, self.between) = (None, None, None, false);
            return Vote::Leave;
        }
        self.look = Some(now + self.allowance / 8);
        if now < due {
            return Vote::Leave;
        }
        // Whoever has been sent the kernel's last signal needs no further guard.
        (self.failed, self.guard) = (true, None);
        Vote::Kill
    }

    /// When the kernel shall kill the reaper, unless it is told otherwise before; `None`: not at all.
    pub fn guard(&self) -> Option<Moment> {
        self.guard
    }

    /// Whether something may begin under that guard.
    pub fn is_guarding(&self) -> bool {
        self.guard.is_some() && !self.between
    }

    /// When to ask [`Vigil::asks`] next.
    pub fn deadline(&self) -> Option<Moment> {
        self.look
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWANCE: Duration = Duration::from_millis(100);

    fn at(millis: u64) -> Moment {
        Moment::ZERO + Duration::from_millis(millis)
    }

    fn lease(life: u64, until: u64) -> Term {
        Term { life, until: at(until) }
    }

    fn vigil() -> Vigil {
        let mut vigil = Vigil::new(ALLOWANCE);
        vigil.lease(at(0), lease(1, 1000));
        vigil
    }

    #[test]
    fn a_warden_that_still_holds_children_when_it_is_due_has_failed() {
        let mut vigil = vigil();
        assert_eq!(vigil.deadline(), Some(at(925)));
        assert!(!vigil.asks(at(924)) && vigil.asks(at(925)));
        assert_eq!(vigil.seen(at(930), true), Vote::Leave);
        assert_eq!(vigil.seen(at(950), true), Vote::Kill);
        assert_eq!(vigil.guard(), None, "all have been sent their last signal");
    }

    #[test]
    fn a_warden_that_does_not_die_is_killed_again_with_all_that_came_meanwhile() {
        let mut vigil = vigil();
        assert_eq!(vigil.seen(at(950), true), Vote::Kill);
        assert_eq!(vigil.seen(at(951), true), Vote::Leave);
        assert_eq!(vigil.seen(at(963), true), Vote::Kill);
        vigil.lease(at(964), lease(1, 5000));
        assert_eq!((vigil.guard(), vigil.deadline().is_some()), (None, true), "no lease mends it");
    }

    #[test]
    fn a_warden_that_ended_everything_is_left_alone_and_the_guard_goes() {
        let mut vigil = vigil();
        assert_eq!(vigil.guard(), Some(at(975)));
        assert_eq!(vigil.seen(at(925), false), Vote::Leave);
        assert_eq!((vigil.deadline(), vigil.guard()), (None, None));
        vigil.lease(at(2000), lease(2, 3000));
        assert_eq!((vigil.deadline(), vigil.guard()), (Some(at(2925)), Some(at(2975))));
    }

    #[test]
    fn a_look_before_its_time_changes_nothing() {
        let mut vigil = vigil();
        assert_eq!(vigil.seen(at(900), false), Vote::Leave);
        assert_eq!((vigil.deadline(), vigil.guard()), (Some(at(925)), Some(at(975))));
    }

    #[test]
    fn a_renewal_moves_what_is_due_and_the_guard() {
        let mut vigil = vigil();
        vigil.lease(at(500), lease(1, 2000));
        assert!(!vigil.asks(at(1000)));
        assert_eq!((vigil.deadline(), vigil.guard()), (Some(at(1925)), Some(at(1975))));
    }

    #[test]
    fn a_lapse_leaves_what_is_due_and_the_guard_where_they_are() {
        let mut vigil = vigil();
        vigil.lease(at(500), lease(1, 0));
        assert_eq!((vigil.deadline(), vigil.guard()), (Some(at(925)), Some(at(975))));
    }

    #[test]
    fn the_next_life_moves_no_guard_while_something_of_the_last_one_runs() {
        let mut vigil = vigil();
        vigil.lease(at(500), lease(1, 0));
        vigil.lease(at(510), lease(2, 2000));
        assert_eq!((vigil.guard(), vigil.is_guarding()), (Some(at(975)), false));
        assert_eq!(vigil.seen(at(510), true), Vote::Leave);
        assert_eq!(vigil.seen(at(523), false), Vote::Leave);
        vigil.lease(at(523), lease(2, 2000));
        assert_eq!((vigil.guard(), vigil.is_guarding()), (Some(at(1975)), true));
    }

    #[test]
    fn what_the_last_life_left_is_killed_before_its_lease_ends_and_not_earlier() {
        let mut vigil = vigil();
        vigil.lease(at(500), lease(2, 2000));
        assert_eq!(vigil.seen(at(700), true), Vote::Leave);
        assert_eq!(vigil.seen(at(950), true), Vote::Kill);
    }

    #[test]
    fn a_lease_that_is_all_but_over_sets_no_guard() {
        let mut vigil = Vigil::new(ALLOWANCE);
        vigil.lease(at(960), lease(1, 1000));
        assert_eq!(vigil.guard(), None);
    }

    #[test]
    fn without_a_member_the_warden_has_the_allowance() {
        let mut vigil = vigil();
        vigil.orphaned(at(10));
        assert_eq!(vigil.seen(at(109), true), Vote::Leave);
        assert_eq!(vigil.guard(), Some(at(975)), "somebody might freeze us too");
        let frozen_without_children = vigil.seen(at(122), false);
        assert_eq!(frozen_without_children, Vote::Kill);
    }
}
