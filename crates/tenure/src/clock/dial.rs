//! What a manual clock is made of.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tenure_core::moment::Moment;

/// A manual clock: what it shows, and who waits.
#[derive(Debug)]
pub(super) struct Dial(Mutex<Face>);

#[derive(Debug)]
struct Face {
    shown: Moment,
    /// By their moment, then in the order of coming: in this order they are woken, so that a run can be repeated.
    sleepers: BTreeMap<(Moment, u64), Waker>,
    came: u64,
}

impl Dial {
    /// A clock that shows `start`.
    pub(super) fn new(start: Moment) -> Self {
        Self(Mutex::new(Face { shown: start, sleepers: BTreeMap::new(), came: 0 }))
    }

    fn face(&self) -> MutexGuard<'_, Face> {
        // Nothing panics while it is held, so a poisoned one is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it shows.
    pub(super) fn shown(&self) -> Moment {
        self.face().shown
    }

    /// Lets `span` pass, and wakes whoever waited for a moment within it.
    pub(super) fn advance(&self, span: Duration) {
        let mut face = self.face();
        face.shown = face.shown + span;
        let shown = face.shown;
        let later = face.sleepers.split_off(&(shown, u64::MAX));
        let due = std::mem::replace(&mut face.sleepers, later);
        drop(face);
        due.into_values().for_each(Waker::wake);
    }

    /// The earliest moment that somebody waits for.
    pub(super) fn next(&self) -> Option<Moment> {
        self.face().sleepers.keys().next().map(|(moment, _)| *moment)
    }
}

/// Somebody who waits for a moment of a manual clock.
#[derive(Debug)]
pub(super) struct Sleeper<'a> {
    dial: &'a Dial,
    deadline: Moment,
    number: Option<u64>,
}

impl<'a> Sleeper<'a> {
    /// Waits until `dial` shows `deadline`.
    pub(super) fn new(dial: &'a Dial, deadline: Moment) -> Self {
        Self { dial, deadline, number: None }
    }
}

impl Future for Sleeper<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut face = self.dial.face();
        if face.shown >= self.deadline {
            return Poll::Ready(());
        }
        let number = self.number.unwrap_or(face.came);
        face.came += u64::from(self.number.is_none());
        face.sleepers.insert((self.deadline, number), context.waker().clone());
        drop(face);
        self.number = Some(number);
        Poll::Pending
    }
}

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.dial.face().sleepers.remove(&(self.deadline, number));
        }
    }
}
