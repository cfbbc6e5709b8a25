//! The right to extend a journal of names.

use async_trait::async_trait;
use bytes::Bytes;
use tenure_core::journal::Rules;
use tenure_core::journal::names::{Appending, Real, Shortening};
use tenure_core::record::Version;
use tokio::sync::Mutex;

use super::Objects;
use super::index::Indexes;
use super::shelf::{Content, Shelf};
use crate::clock::Clock;
use crate::journal::retry::Pause;
use crate::journal::{
    Author, Claim, Entry, Head, JournalError, Seq, Shortened, Snapshot, SnapshotName, limits,
};

/// The right to extend a journal of names.
#[derive(Debug)]
pub(super) struct NamesClaim<O: Objects> {
    pub(super) shelf: Shelf<O>,
    pub(super) author: Author,
    pub(super) rules: Rules,
    pub(super) state: Mutex<ClaimState>,
    pub(super) indexes: Indexes,
}

#[derive(Debug)]
pub(super) struct ClaimState {
    pub(super) head: (Version, Head),
    pub(super) fences: Vec<Seq>,
}

#[async_trait]
impl<O: Objects> Claim for NamesClaim<O> {
    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        limits::check_entry(entry)?;
        let mut appending = Appending::<Real>::new(self.rules, entry.seq, entry.clone());
        let mut pause = Pause::default();
        while let Some(ask) = appending.ask() {
            let answer = self.shelf.carry_out(&ask, &Content::Entry(entry)).await?;
            pause.after(&answer).await;
            appending.handle(answer)?;
        }
        self.indexes.appended(&self.shelf.place, self.author, entry);
        Ok(())
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        limits::check_state(&state)?;
        let mut claim = self.state.lock().await;
        if upto < claim.head.1.start {
            return Ok(Shortened::Dropped);
        }
        let name = SnapshotName { upto, epoch: self.author.epoch, run: self.author.run };
        let fences: Vec<Seq> = claim.fences.iter().copied().filter(|seq| *seq <= upto).collect();
        let snapshot = Snapshot { name, at_ms: Clock::boot().wall_ms(), fences, state };
        let fences = claim.fences.iter().copied();
        let mut shortening =
            Shortening::<Real>::new(self.rules, name, claim.head.clone(), fences).telling(snapshot.facts());
        let mut pause = Pause::default();
        while let Some(ask) = shortening.ask() {
            let answer = self.shelf.carry_out(&ask, &Content::Snapshot(&snapshot, self.author)).await?;
            pause.after(&answer).await;
            shortening.handle(answer)?;
        }
        let (shortened, head) = shortening.done().expect("it asks nothing more");
        self.indexes.shortened(&self.shelf.place, self.author, head.1.start);
        claim.head = head;
        Ok(shortened)
    }
}

impl<O: Objects> Drop for NamesClaim<O> {
    fn drop(&mut self) {
        self.indexes.closed(&self.shelf.place, self.author);
    }
}
