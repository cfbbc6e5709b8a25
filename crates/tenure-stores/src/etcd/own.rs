//! Our own writes, of which a watch need not tell us.
//!
//! A watch may tell of a write before the write itself is answered. So whoever hears of a key that is being written waits
//! for the answer, which comes or is given up soon; then it shows whether it was ours.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::watch;

/// How many of our own writes are remembered.
const KEPT: usize = 64;

/// What we are writing, and what we wrote last.
#[derive(Debug)]
pub(super) struct Own {
    under_way: watch::Sender<Vec<Bytes>>,
    landed: Mutex<VecDeque<i64>>,
}

impl Own {
    pub(super) fn new() -> Self {
        Self { under_way: watch::Sender::new(Vec::new()), landed: Mutex::default() }
    }

    /// A write of `path` begins; it ends when what is returned is dropped.
    pub(super) fn begin(&self, path: Bytes) -> Writing<'_> {
        self.under_way.send_modify(|paths| paths.push(path.clone()));
        Writing { own: self, path }
    }

    /// Whether the change of `path` at `revision` was ours; waits for writes of it that are under way.
    pub(super) async fn wrote(&self, path: &[u8], revision: i64) -> bool {
        // The sender is alive, since it is borrowed.
        let _ = self.under_way.subscribe().wait_for(|paths| !paths.iter().any(|other| other == path)).await;
        self.landed.lock().unwrap_or_else(PoisonError::into_inner).contains(&revision)
    }
}

/// A write that is under way.
#[derive(Debug)]
pub(super) struct Writing<'a> {
    own: &'a Own,
    path: Bytes,
}

impl Writing<'_> {
    /// It landed, at `revision`.
    pub(super) fn landed(self, revision: i64) {
        let mut landed = self.own.landed.lock().unwrap_or_else(PoisonError::into_inner);
        landed.push_back(revision);
        if landed.len() > KEPT {
            landed.pop_front();
        }
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.own.under_way.send_modify(|paths| {
            if let Some(index) = paths.iter().position(|path| *path == self.path) {
                paths.swap_remove(index);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    static A: Bytes = Bytes::from_static(b"a");

    #[tokio::test]
    async fn what_we_wrote_is_ours_and_what_others_wrote_is_not() {
        let own = Own::new();
        own.begin(A.clone()).landed(7);
        assert!(own.wrote(&A, 7).await);
        assert!(!own.wrote(&A, 8).await);
    }

    #[tokio::test]
    async fn a_change_heard_of_before_its_answer_waits_for_it() {
        let own = Own::new();
        let writing = own.begin(A.clone());
        let mut heard = Box::pin(own.wrote(&A, 7));
        assert_eq!((&mut heard).now_or_never(), None);
        assert_eq!(own.wrote(b"b", 8).now_or_never(), Some(false), "other keys do not wait");
        writing.landed(7);
        assert!(heard.await);
    }

    #[tokio::test]
    async fn a_write_that_was_given_up_holds_nobody_up() {
        let own = Own::new();
        drop(own.begin(A.clone()));
        assert!(!own.wrote(&A, 7).await);
    }
}
