//! Journals on a store that can create a name once: object storage, a folder.
//!
//! ```text
//!  <prefix><shard>/<journal>/head          where the live entries begin
//!  <prefix><shard>/<journal>/log/<seq>     entries
//!  <prefix><shard>/<journal>/snap/<name>   snapshots
//!  <prefix><shard>/<journal>/part/<key>    the states of single keys
//!  <prefix>depot/<name>                    blobs
//! ```
//! What is asked and decided is in `tenure_core::journal::names`; here it is carried out. [`Objects`] is all that such a store must do.

mod claim;
mod depot;
mod index;
mod keys;
mod objects;
mod shelf;
mod survey;

#[cfg(test)]
mod bucket;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tenure_core::ids::Lineage;
use tenure_core::journal::Rules;
use tenure_core::journal::names::{self, Adopted, Adopting, Answer, Opening, Real};
use tokio::sync::Mutex;

use self::claim::{ClaimState, NamesClaim};
use self::index::Indexes;
pub use self::objects::Objects;
use self::shelf::{Content, Shelf};
use super::retry::Pause;
use super::{
    Ahead, Author, Entry, Journal, JournalError, Kept, Keyed, Look, Opened, Part, Place, Saved, Seq, limits,
    until_answered,
};

/// How many entries are read at once when a journal is opened.
const READ_AHEAD: usize = 32;

/// Journals as objects with names. Clones share what is open.
#[derive(Debug)]
pub struct Names<O> {
    objects: Arc<O>,
    prefix: String,
    rules: Rules,
    indexes: Indexes,
}

impl<O> Clone for Names<O> {
    fn clone(&self) -> Self {
        let (objects, indexes) = (Arc::clone(&self.objects), self.indexes.clone());
        Self { objects, prefix: self.prefix.clone(), rules: self.rules, indexes }
    }
}

impl<O: Objects> Names<O> {
    /// Journals under `prefix`, which ends with a slash unless it is empty.
    pub fn new(objects: O, prefix: impl Into<String>) -> Self {
        let indexes = Indexes::default();
        Self { objects: Arc::new(objects), prefix: prefix.into(), rules: Rules::ALL, indexes }
    }

    fn shelf(&self, place: &Place) -> Shelf<O> {
        let folder = format!("{}{}/{}/", self.prefix, place.shard, place.journal);
        Shelf { objects: Arc::clone(&self.objects), folder, place: place.clone() }
    }

    /// Goes on with an opening to its end.
    async fn go_on(
        &self,
        shelf: Shelf<O>,
        mut opening: Opening<Real>,
        author: Author,
    ) -> Result<Opened, JournalError> {
        shelf.converse(&mut opening, &Content::Fence(author)).await?;
        let names::Opened { next, head, snapshot, tail, fences } =
            opening.opened().expect("it asks nothing more");
        self.indexes.opened(&shelf.place, author, head.1.start, &tail);
        let state = Mutex::new(ClaimState { head, fences });
        let claim = NamesClaim { shelf, author, rules: self.rules, state, indexes: self.indexes.clone() };
        Ok(Opened { next, kept: Kept::new(snapshot, tail), claim: Box::new(claim) })
    }

    /// An opening that has heard all that was read ahead; `None` if that is of no use any more.
    fn resume(&self, ahead: Ahead, author: Author) -> Option<Opening<Real>> {
        let (version, head) = ahead.head?;
        let snapshot = ahead.kept.snapshot.map(Answer::Snapshot);
        let entries = ahead.kept.entries.into_iter().map(Answer::Entry);
        if head.snapshot.is_some() != snapshot.is_some() {
            return None;
        }
        let mut opening = Opening::ahead(self.rules, head.lineage);
        let answers = [Answer::Head(version, head)].into_iter().chain(snapshot).chain(entries);
        for answer in answers.chain([Answer::Absent]) {
            opening.handle(answer).ok()?;
        }
        opening.claim(author).ok()?;
        Some(opening)
    }
}

#[async_trait]
impl<O: Objects> Journal for Names<O> {
    fn kind(&self) -> &'static str {
        self.objects.kind()
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        self.go_on(self.shelf(place), Opening::new(self.rules, author), author).await
    }

    async fn ahead(&self, place: &Place) -> Result<Ahead, JournalError> {
        let shelf = self.shelf(place);
        let Some(head) = until_answered(|| shelf.head()).await? else {
            return Ok(Ahead::new(place.clone(), Kept::default()));
        };
        let mut opening = Opening::<Real>::ahead(self.rules, head.lineage);
        shelf.converse(&mut opening, &Content::Nothing).await?;
        let (head, snapshot, tail) = opening.into_read();
        Ok(Ahead { place: place.clone(), kept: Kept::new(snapshot, tail), head })
    }

    async fn open_after(&self, ahead: Ahead, author: Author) -> Result<Opened, JournalError> {
        let shelf = self.shelf(&ahead.place);
        let opening = self.resume(ahead, author).unwrap_or_else(|| Opening::new(self.rules, author));
        self.go_on(shelf, opening, author).await
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        let shelf = &self.shelf(place);
        until_answered(|| async move {
            let start = shelf.start().await?;
            if from < start {
                return Err(JournalError::Shortened { start });
            }
            let end = Seq(from.0.saturating_add(limit as u64));
            let mut reads = stream::iter(from.until(end)).map(|seq| shelf.entry(seq)).buffered(READ_AHEAD);
            let mut entries = Vec::new();
            while let Some(entry) = reads.next().await.transpose()?.flatten() {
                entries.push(entry);
            }
            // What was truncated meanwhile may be litter of a late write.
            let now = shelf.start().await?;
            if now != start { Err(JournalError::Shortened { start: now }) } else { Ok(entries) }
        })
        .await
    }

    async fn read_of(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Keyed>, JournalError> {
        limits::check_key(key)?;
        let shelf = self.shelf(place);
        until_answered(|| shelf.read_of(&self.indexes, key, after, limit)).await
    }

    async fn part(&self, place: &Place, key: &str) -> Result<Option<Part>, JournalError> {
        limits::check_key(key)?;
        let shelf = self.shelf(place);
        Ok(until_answered(|| shelf.part(key)).await?.map(|(_, part)| part))
    }

    async fn save_part(
        &self,
        place: &Place,
        key: &str,
        seq: Seq,
        state: Bytes,
    ) -> Result<Saved, JournalError> {
        limits::check_part(key, &state)?;
        let shelf = self.shelf(place);
        until_answered(|| shelf.save_part(key, seq, state.clone())).await
    }

    async fn places(&self, after: Option<&Place>, limit: usize) -> Result<Vec<Place>, JournalError> {
        until_answered(|| self.list_places(after, limit)).await
    }

    async fn look(&self, place: &Place) -> Result<Option<Look>, JournalError> {
        let shelf = self.shelf(place);
        until_answered(|| shelf.look()).await
    }

    async fn adopt(&self, place: &Place, lineage: Lineage) -> Result<Option<Lineage>, JournalError> {
        let shelf = self.shelf(place);
        let mut adopting = Adopting::<Real>::new(self.rules, lineage);
        let mut pause = Pause::default();
        while let Some(ask) = adopting.ask() {
            let content = Content::Adoption { from: adopting.from(), lineage };
            let answer = shelf.carry_out(&ask, &content).await?;
            pause.after(&answer).await;
            adopting.handle(answer)?;
        }
        match adopting.done().expect("it asks nothing more") {
            Adopted::From(from) => Ok(Some(from)),
            Adopted::Already => Ok(None),
            Adopted::Absent => Err(JournalError::NoJournal(place.clone())),
        }
    }
}
