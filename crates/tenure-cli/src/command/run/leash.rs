//! Keeps the warden informed of the lease, and watches it in turn.
//!
//! ```text
//!   acts ─────────────────────┤ valid_until − allowance: the warden kills all that runs
//!                             ├──────────────┤ valid_until − allowance/4: anything left? the member kills the warden
//!                             ├──────────────────┤ valid_until
//! ```

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tenure::clock::Clock;
use tenure::member::{LeaseView, LeaseWatch};
use tenure_core::moment::Moment;

use crate::talk;
use crate::warden::Warden;

const ALLOWANCE_MIN: Duration = Duration::from_millis(20);
const ALLOWANCE_MAX: Duration = Duration::from_secs(1);

/// How much earlier than the lease's end everything is killed: the time it takes to die, with room.
pub(super) fn allowance(ttl: Duration) -> Duration {
    (ttl / 20).clamp(ALLOWANCE_MIN, ALLOWANCE_MAX)
}

/// What binds the warden to the lease.
#[derive(Debug)]
pub(super) struct Leash {
    warden: Warden,
    allowance: Duration,
    /// The lease as the warden knows it. Told under this lock, so that an older lease never follows a newer one.
    told: Mutex<(LeaseWatch, LeaseView)>,
}

impl Leash {
    pub(super) fn new(warden: Warden, lease: LeaseWatch, allowance: Duration) -> Self {
        Self { warden, allowance, told: Mutex::new((lease, LeaseView::default())) }
    }

    /// Tells the warden of the lease, if it doesn't know it yet.
    pub(super) fn tell(&self) -> LeaseView {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let view = told.0.now();
        if told.1 != view {
            told.1 = view;
            self.warden.lease(view.valid_until);
        }
        view
    }

    /// Tells the warden of every change, until the member has ended.
    pub(super) async fn follow(&self, mut lease: LeaseWatch) {
        while lease.changed().await.is_some() {
            self.tell();
        }
        self.tell();
    }

    /// Kills a warden that has not ended everything in time. Goes on as long as it is asked to.
    pub(super) async fn watch(&self, mut lease: LeaseWatch) {
        let clock = Clock::boot();
        loop {
            let due = lease.now().valid_until - self.allowance / 4;
            tokio::select! {
                changed = lease.changed() => if changed.is_none() { return },
                () = due_at(&clock, due) => self.judge(&clock).await,
            }
        }
    }

    async fn judge(&self, clock: &Clock) {
        if self.warden.is_busy() {
            talk::error("the warden did not end the children in time; killing it, and them with it");
            self.warden.condemn();
        }
        clock.sleep(self.allowance).await;
    }

    /// How long a child that was killed may take to be reported dead.
    pub(super) fn patience(&self) -> Duration {
        self.allowance
    }
}

/// Without a lease there is nothing to wait for.
async fn due_at(clock: &Clock, due: Moment) {
    if due == Moment::ZERO {
        std::future::pending::<()>().await;
    }
    clock.sleep_until(due).await;
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
