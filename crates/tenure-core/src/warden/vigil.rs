//! Decides when the sexton ends a warden that doesn't do its work.
//!
//! ```text
//!   acts ─────────────────┤ valid_until − allowance: the warden kills all that runs
//!                         ├────────┤ valid_until − allowance/2: something still runs? the warden is killed, and all with it
//!                         ├──────────────────┤ valid_until
//! ```
//! When the member is gone, the warden has the allowance to end everything, itself included.

use std::time::Duration;

use tenure_core::moment::Moment;

/// Watches one warden.
#[derive(Debug)]
pub(super) struct Vigil {
    allowance: Duration,
    /// When the warden must have nothing left that runs.
    due: Option<Moment>,
    orphaned: bool,
}

impl Vigil {
    /// A vigil over a warden whose member has no lease yet.
    pub(super) fn new(allowance: Duration) -> Self {
        Self { allowance, due: None, orphaned: false }
    }

    /// The member may act up to this moment; zero: no more.
    pub(super) fn lease(&mut self, now: Moment, until: Moment) {
        if self.orphaned {
            return;
        }
        let soon = now + self.allowance;
        self.due = Some(if until == Moment::ZERO { soon } else { until - self.allowance / 2 });
    }

    /// The member is gone.
    pub(super) fn orphaned(&mut self, now: Moment) {
        self.orphaned = true;
        let soon = now + self.allowance;
        self.due = Some(self.due.map_or(soon, |due| due.min(soon)));
    }

    /// Whether the warden must be killed now; `busy` says whether anything runs below it.
    pub(super) fn is_failed(&mut self, now: Moment, busy: impl FnOnce() -> bool) -> bool {
        let Some(due) = self.due.filter(|due| *due <= now) else { return false };
        if now.since(due) > self.allowance {
            // We were frozen ourselves, and so was the warden, perhaps with the whole machine: it has its time once more.
            self.due = Some(now + self.allowance / 2);
            return false;
        }
        self.due = None;
        self.orphaned || busy()
    }

    /// When to ask [`Vigil::is_failed`] next.
    pub(super) fn deadline(&self) -> Option<Moment> {
        self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWANCE: Duration = Duration::from_millis(100);

    fn at(millis: u64) -> Moment {
        Moment::ZERO + Duration::from_millis(millis)
    }

    fn vigil() -> Vigil {
        let mut vigil = Vigil::new(ALLOWANCE);
        vigil.lease(at(0), at(1000));
        vigil
    }

    #[test]
    fn a_warden_that_still_holds_children_when_it_is_due_has_failed() {
        let mut vigil = vigil();
        assert_eq!(vigil.deadline(), Some(at(950)));
        assert!(!vigil.is_failed(at(949), || true));
        assert!(vigil.is_failed(at(950), || true));
    }

    #[test]
    fn a_warden_that_ended_everything_is_left_alone() {
        let mut vigil = vigil();
        assert!(!vigil.is_failed(at(950), || false));
        assert_eq!(vigil.deadline(), None);
    }

    #[test]
    fn a_renewal_moves_what_is_due() {
        let mut vigil = vigil();
        vigil.lease(at(500), at(2000));
        assert!(!vigil.is_failed(at(1000), || true));
        assert_eq!(vigil.deadline(), Some(at(1950)));
    }

    #[test]
    fn without_a_member_the_warden_has_the_allowance() {
        let mut vigil = vigil();
        vigil.orphaned(at(10));
        assert!(!vigil.is_failed(at(109), || true));
        assert!(vigil.is_failed(at(110), || false), "a frozen warden without children must go too");
    }

    #[test]
    fn whoever_wakes_late_was_frozen_with_the_warden_and_waits_once_more() {
        let mut vigil = vigil();
        assert!(!vigil.is_failed(at(5000), || true));
        assert_eq!(vigil.deadline(), Some(at(5050)));
        assert!(vigil.is_failed(at(5050), || true));
    }
}
