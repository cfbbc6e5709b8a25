//! Relays the lease to the warden.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tenure::clock::Clock;
use tenure::member::{LeaseView, LeaseWatch};
use tenure_core::warden::Term;

use crate::supervisor::Supervisor;
use crate::talk;

const ALLOWANCE_MIN: Duration = Duration::from_millis(20);
const ALLOWANCE_MAX: Duration = Duration::from_secs(1);

/// How much earlier than the lease's end everything is killed: the time it takes to die, with room.
pub(super) fn allowance(ttl: Duration) -> Duration {
    (ttl / 20).clamp(ALLOWANCE_MIN, ALLOWANCE_MAX)
}

/// Relays the lease to the warden.
#[derive(Debug)]
pub(super) struct LeaseRelay {
    supervisor: Supervisor,
    allowance: Duration,
    /// Told under this lock, so that an older lease never follows a newer one.
    told: Mutex<Told>,
}

/// The lease as the warden knows it.
#[derive(Debug)]
struct Told {
    lease: LeaseWatch,
    view: LeaseView,
    life: u64,
    /// The life of whose end people were told.
    mourned: u64,
}

impl Told {
    /// What to tell now, if it is news; and whether a lease began or ended.
    fn news(&mut self, view: LeaseView) -> Option<(Term, bool)> {
        if view == self.view {
            return None;
        }
        let another = view.incarnation != self.view.incarnation;
        // A life that ended unseen was followed by another.
        self.life += u64::from(another && view.incarnation.is_some());
        self.view = view;
        Some((Term { life: self.life, until: view.valid_until }, another))
    }
}

impl LeaseRelay {
    pub(super) fn new(supervisor: Supervisor, lease: LeaseWatch, allowance: Duration) -> Self {
        let told = Told { lease, view: LeaseView::default(), life: 0, mourned: 0 };
        Self { supervisor, allowance, told: Mutex::new(told) }
    }

    /// Tells the warden of the lease, if it doesn't know it yet. Gives the lease and the number of the life.
    pub(super) fn tell(&self) -> (LeaseView, u64) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let view = told.lease.now();
        if let Some((term, began_or_ended)) = told.news(view) {
            self.supervisor.lease(term, began_or_ended);
        }
        (view, told.life)
    }

    /// Tells the warden of every change, until the member has ended.
    pub(super) async fn follow(self: Arc<Self>, mut lease: LeaseWatch) {
        while lease.changed().await.is_some() {
            self.tell();
        }
        self.tell();
    }

    /// Says that a lease was over and ended all work: once for each, however many shards it had.
    pub(super) fn tell_lapse(&self) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let life = told.life;
        if std::mem::replace(&mut told.mourned, life) != life {
            talk::say("the lease was over: work was ended; it starts again with the next lease");
        }
    }

    /// Whether nothing may run under the lease as it is.
    pub(super) fn is_short(&self) -> bool {
        self.tell().0.valid_until <= Clock::boot().now() + self.allowance
    }

    /// How long a child that was killed may take to be reported dead before that is worth a word.
    pub(super) fn patience(&self) -> Duration {
        self.allowance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowance_follows_the_lease_within_limits() {
        let allowance_of = |millis| allowance(Duration::from_millis(millis)).as_millis();
        assert_eq!([200, 2_000, 10_000, 60_000].map(allowance_of), [20, 100, 500, 1_000]);
    }
}
