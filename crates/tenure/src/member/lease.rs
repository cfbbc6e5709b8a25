//! The lease as seen from outside the member: for those who end work before it does.
//!
//! A guard closes by itself when the lease ends. Work that asks no guard, such as a child process, must be *ended* by then:
//! those who hold it need to know the end beforehand, and each change of it at once.

use tenure_core::ids::Incarnation;
use tenure_core::moment::Moment;
use tokio::sync::watch;

/// How long this member may act, and in which life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeaseView {
    /// The moment up to which the member may act; [`Moment::ZERO`] while it has no lease.
    pub valid_until: Moment,
    /// The member's present life; `None` while it has no lease.
    pub incarnation: Option<Incarnation>,
}

/// Follows a member's lease. It goes on after the handle is dropped, and ends with the member.
#[derive(Clone, Debug)]
pub struct LeaseWatch(watch::Receiver<LeaseView>);

impl LeaseWatch {
    pub(super) fn new() -> (watch::Sender<LeaseView>, Self) {
        let (sender, receiver) = watch::channel(LeaseView::default());
        (sender, Self(receiver))
    }

    /// The lease as it is now.
    pub fn now(&mut self) -> LeaseView {
        *self.0.borrow_and_update()
    }

    /// The lease after its next change since it was last told; `None` once the member has ended. Changes that come faster than they are asked for
    /// are told as one. Cancel-safe.
    pub async fn changed(&mut self) -> Option<LeaseView> {
        self.0.changed().await.ok()?;
        Some(*self.0.borrow_and_update())
    }
}
