//! Knowing that work has ended.
//!
//! A [`Hold`] is shared by a handler's future and its `Shard`. When the last of them is dropped, and not before, the work
//! counts as ended: the count that the watchdog reads falls, the proof of life is let go, and those who wait are told.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;

use crate::store::Registration;

/// How much work runs in one member: an atomic that the watchdog reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running(Arc<AtomicUsize>);

impl Running {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }

    fn begin(&self) -> One {
        self.0.fetch_add(1, Ordering::AcqRel);
        One(self.clone())
    }
}

#[derive(Debug)]
struct One(Running);

impl Drop for One {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Held by everything that may act for one shard at one epoch.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    _held: Arc<Held>,
}

/// Dropped in this order: the count falls before anybody is told.
#[derive(Debug)]
struct Held {
    _one: One,
    _alive: Option<Arc<dyn Registration>>,
    _end: oneshot::Sender<Infallible>,
}

impl Hold {
    /// Work that `running` counts, that `alive` vouches for, and whose end closes `end`.
    pub(crate) fn new(
        running: &Running,
        alive: Option<Arc<dyn Registration>>,
        end: oneshot::Sender<Infallible>,
    ) -> Self {
        Self { _held: Arc::new(Held { _one: running.begin(), _alive: alive, _end: end }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_has_ended_when_its_last_hold_is_dropped() {
        let running = Running::default();
        let (end, mut ended) = oneshot::channel();
        let task = Hold::new(&running, None, end);
        let shard = task.clone();
        drop(task);
        assert_eq!(ended.try_recv(), Err(oneshot::error::TryRecvError::Empty));
        assert_eq!(running.count(), 1);
        drop(shard);
        assert!(ended.await.is_err());
        assert_eq!(running.count(), 0);
    }
}
