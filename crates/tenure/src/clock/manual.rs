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
pub(super) struct ManualTime(Mutex<State>);

#[derive(Debug)]
struct State {
    shown: Moment,
    /// By their moment, then in the order of coming: in this order they are woken, so that a run can be repeated.
    sleepers: BTreeMap<(Moment, u64), Waker>,
    came: u64,
}

impl ManualTime {
    /// A clock that shows `start`.
    pub(super) fn new(start: Moment) -> Self {
        Self(Mutex::new(State { shown: start, sleepers: BTreeMap::new(), came: 0 }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held, so a poisoned one is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it shows.
    pub(super) fn shown(&self) -> Moment {
        self.state().shown
    }

    /// Lets `span` pass, and wakes those who waited for a moment within it.
    pub(super) fn advance(&self, span: Duration) {
        let mut state = self.state();
        state.shown = state.shown + span;
        let shown = state.shown;
        let later = state.sleepers.split_off(&(shown, u64::MAX));
        let due = std::mem::replace(&mut state.sleepers, later);
        drop(state);
        due.into_values().for_each(Waker::wake);
    }

    /// The earliest moment that somebody waits for.
    pub(super) fn next(&self) -> Option<Moment> {
        self.state().sleepers.keys().next().map(|(moment, _)| *moment)
    }
}

/// Somebody who waits for a moment of a manual clock.
#[derive(Debug)]
pub(super) struct Sleeper<'a> {
    manual: &'a ManualTime,
    deadline: Moment,
    number: Option<u64>,
}

impl<'a> Sleeper<'a> {
    /// Waits until `manual` shows `deadline`.
    pub(super) fn new(manual: &'a ManualTime, deadline: Moment) -> Self {
        Self { manual, deadline, number: None }
    }
}

impl Future for Sleeper<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.manual.state();
        if state.shown >= self.deadline {
            return Poll::Ready(());
        }
        let number = self.number.unwrap_or(state.came);
        state.came += u64::from(self.number.is_none());
        state.sleepers.insert((self.deadline, number), context.waker().clone());
        drop(state);
        self.number = Some(number);
        Poll::Pending
    }
}

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.manual.state().sleepers.remove(&(self.deadline, number));
        }
    }
}
