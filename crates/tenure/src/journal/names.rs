//! Journals on a store that can create a name once: object storage, a folder.
//!
//! What is asked and decided is in `tenure_core::journal::names`; here it is carried out. [`Objects`] is all that such a store must do.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tenure_core::journal::Rules;
use tenure_core::journal::names::{Answer, Appending, Ask, Leftover, Opening, Real, Shortening};
use tenure_core::message::When;
use tenure_core::record::Version;
use tokio::sync::Mutex;

use super::retry::{Pause, may_ask_again};
use super::{
    Author, Claim, Damage, Entry, Fault, Head, Journal, JournalError, Kept, Opened, Place, Seq, Shortened,
    Snapshot, SnapshotName,
};
use crate::clock::Clock;
use crate::store::{StoreError, Written};

/// How many entries are read at once when a journal is opened.
const READ_AHEAD: usize = 32;

/// What a store of names must do.
///
/// Per name, `read`, `write` and `remove` are linearizable: of several writes with [`When::Absent`] one is stored. A name that was
/// removed may be written again. A call that is dropped may still take effect, and so may one that failed with
/// [`Indeterminate`](crate::store::StoreErrorKind::Indeterminate), however late.
#[async_trait]
pub trait Objects: Send + Sync + Debug + 'static {
    /// What kind of store this is, such as `s3`; for messages.
    fn kind(&self) -> &'static str;

    /// What is stored under `name`, with its version.
    async fn read(&self, name: &str) -> Result<Option<(Version, Bytes)>, StoreError>;

    /// Stores `bytes` under `name` if `when` holds.
    async fn write(&self, name: &str, bytes: Bytes, when: When) -> Result<Written, StoreError>;

    /// Removes names; those that are not there are no error.
    async fn remove(&self, names: &[String]) -> Result<(), StoreError>;

    /// The names under `prefix` that come after `after`, in order; may be old.
    async fn list(&self, prefix: &str, after: &str) -> Result<Vec<String>, StoreError>;
}

/// Journals as objects with names.
#[derive(Clone, Debug)]
pub struct Names<O> {
    objects: Arc<O>,
    prefix: String,
    rules: Rules,
}

impl<O: Objects> Names<O> {
    /// Journals under `prefix`, which ends with a slash unless it is empty.
    pub fn new(objects: O, prefix: impl Into<String>) -> Self {
        Self { objects: Arc::new(objects), prefix: prefix.into(), rules: Rules::ALL }
    }

    fn shelf(&self, place: &Place) -> Shelf<O> {
        let folder = format!("{}{}/{}/", self.prefix, place.shard, place.journal);
        Shelf { objects: Arc::clone(&self.objects), folder, place: place.clone() }
    }
}

#[async_trait]
impl<O: Objects> Journal for Names<O> {
    fn kind(&self) -> &'static str {
        self.objects.kind()
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        let shelf = self.shelf(place);
        let mut opening = Opening::<Real>::new(self.rules, author);
        let mut pause = Pause::default();
        while let Some(ask) = opening.ask() {
            if opening.reads_from().is_some() {
                shelf.read_ahead(&mut opening, &mut pause).await?;
                continue;
            }
            let answer = shelf.carry_out(&ask, &Content::Fence(author)).await?;
            pause.after(&answer).await;
            opening.handle(answer)?;
        }
        let opened = opening.opened().expect("it asks nothing more");
        let kept = Kept { snapshot: opened.snapshot, entries: opened.tail };
        let state = ClaimState { head: opened.head, fences: opened.fences };
        let claim = NamesClaim { shelf, author, rules: self.rules, state: Mutex::new(state) };
        Ok(Opened { next: opened.next, kept, claim: Box::new(claim) })
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        let shelf = self.shelf(place);
        let head = shelf.head().await?;
        let start = head.map_or(Seq::FIRST, |head| head.start);
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
        let now = shelf.head().await?.map_or(Seq::FIRST, |head| head.start);
        if now != start { Err(JournalError::Shortened { start: now }) } else { Ok(entries) }
    }
}

/// One journal's names.
#[derive(Debug)]
struct Shelf<O> {
    objects: Arc<O>,
    folder: String,
    place: Place,
}

/// What is to be written, where an ask only names it.
enum Content<'a> {
    Nothing,
    Fence(Author),
    Entry(&'a Entry),
    Snapshot(&'a Snapshot, Author),
}

impl Content<'_> {
    fn encode(&self, place: &Place, seq: Seq) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::Fence(author) => Entry::fence(seq, *author, Clock::boot().wall_ms()).encode(place),
            Self::Entry(entry) => entry.encode(place),
            Self::Snapshot(snapshot, author) => snapshot.encode(place, author.lineage),
        }
    }
}

impl<O: Objects> Shelf<O> {
    fn head_name(&self) -> String {
        format!("{}head", self.folder)
    }

    fn entry_name(&self, seq: Seq) -> String {
        format!("{}log/{:016x}", self.folder, seq.0)
    }

    fn snapshot_name(&self, name: SnapshotName) -> String {
        format!("{}snap/{name}", self.folder)
    }

    fn leftover_name(&self, leftover: &Leftover) -> String {
        match leftover {
            Leftover::Entry(seq) => self.entry_name(*seq),
            Leftover::Snapshot(name) => self.snapshot_name(*name),
        }
    }

    async fn head(&self) -> Result<Option<Head>, JournalError> {
        let found = self.objects.read(&self.head_name()).await?;
        let head = found.map(|(_, bytes)| Head::decode(&self.place, &bytes)).transpose();
        Ok(head.map_err(Fault::Damaged)?)
    }

    async fn entry(&self, seq: Seq) -> Result<Option<Entry>, JournalError> {
        let found = self.objects.read(&self.entry_name(seq)).await?;
        let entry = found.map(|(_, bytes)| Entry::decode(&self.place, seq, &bytes)).transpose();
        Ok(entry.map_err(Fault::Damaged)?)
    }

    /// Does what a machine asks. What failed and may be tried again is [`Answer::Unsure`].
    async fn carry_out(
        &self,
        ask: &Ask<Version>,
        content: &Content<'_>,
    ) -> Result<Answer<Real>, JournalError> {
        let place = &self.place;
        match ask {
            Ask::ReadHead => {
                let decode = |version, bytes: &Bytes| Ok(Answer::Head(version, Head::decode(place, bytes)?));
                self.read(&self.head_name(), decode).await
            }
            Ask::ReadEntry(seq) => {
                let decode = |_, bytes: &Bytes| Ok(Answer::Entry(Entry::decode(place, *seq, bytes)?));
                self.read(&self.entry_name(*seq), decode).await
            }
            Ask::ReadSnapshot(name) => {
                let decode =
                    |_, bytes: &Bytes| Ok(Answer::Snapshot(Snapshot::decode(place, *name, bytes)?.0));
                self.read(&self.snapshot_name(*name), decode).await
            }
            Ask::CreateHead(head) => self.write(&self.head_name(), head.encode(place), When::Absent).await,
            Ask::ReplaceHead(version, head) => {
                let version = version.clone().expect("a head is replaced as it was last seen");
                self.write(&self.head_name(), head.encode(place), When::Is(version)).await
            }
            Ask::CreateFence(seq) | Ask::CreateEntry(seq) => {
                self.write(&self.entry_name(*seq), content.encode(place, *seq), When::Absent).await
            }
            Ask::CreateSnapshot(name) => {
                let bytes = content.encode(place, name.upto);
                self.write(&self.snapshot_name(*name), bytes, When::Absent).await
            }
            Ask::ListSnapshots => self.list_snapshots().await,
            Ask::Remove(leftovers) => {
                let names: Vec<String> = leftovers.iter().map(|left| self.leftover_name(left)).collect();
                let removed = unsure(self.objects.remove(&names).await)?;
                Ok(removed.map_or(Answer::Unsure, |()| Answer::Stored(None)))
            }
        }
    }

    async fn read(
        &self,
        name: &str,
        decode: impl FnOnce(Version, &Bytes) -> Result<Answer<Real>, Damage>,
    ) -> Result<Answer<Real>, JournalError> {
        match unsure(self.objects.read(name).await)? {
            None => Ok(Answer::Unsure),
            Some(None) => Ok(Answer::Absent),
            Some(Some((version, bytes))) => Ok(decode(version, &bytes).map_err(Fault::Damaged)?),
        }
    }

    async fn write(&self, name: &str, bytes: Bytes, when: When) -> Result<Answer<Real>, JournalError> {
        Ok(match unsure(self.objects.write(name, bytes, when).await)? {
            None => Answer::Unsure,
            Some(Written::Conflict) => Answer::Refused,
            Some(Written::Stored(version)) => Answer::Stored(Some(version)),
        })
    }

    async fn list_snapshots(&self) -> Result<Answer<Real>, JournalError> {
        let prefix = format!("{}snap/", self.folder);
        let Some(names) = unsure(self.objects.list(&prefix, "").await)? else { return Ok(Answer::Unsure) };
        // What is no snapshot of ours is left alone.
        let names = names.iter().filter_map(|name| name.strip_prefix(&prefix)?.parse().ok());
        Ok(Answer::Snapshots(names.collect()))
    }

    /// Reads the live entries, many at once: a listing tells how many there may be.
    async fn read_ahead(&self, opening: &mut Opening<Real>, pause: &mut Pause) -> Result<(), JournalError> {
        let Some(from) = opening.reads_from() else { return Ok(()) };
        let prefix = format!("{}log/", self.folder);
        let listed = unsure(self.objects.list(&prefix, &self.entry_name(from.before())).await)?;
        let listed = listed.unwrap_or_default();
        let last = listed.last().and_then(|name| u64::from_str_radix(name.strip_prefix(&prefix)?, 16).ok());
        if let Some(last) = last {
            opening.listed(Seq(last));
        }
        // One more than is listed, which may be absent: that ends the reading.
        let end = last.map_or(from, |last| Seq(last.max(from.0)).next()).next();
        let asks = from.until(end).map(Ask::ReadEntry);
        let reads =
            stream::iter(asks).map(|ask| async move { self.carry_out(&ask, &Content::Nothing).await });
        let mut reads = std::pin::pin!(reads.buffered(READ_AHEAD));
        while let Some(answer) = reads.next().await.transpose()? {
            let is_unsure = matches!(answer, Answer::Unsure);
            pause.after(&answer).await;
            opening.handle(answer)?;
            if is_unsure || opening.reads_from().is_none() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// An error that says "try again" is no answer; every other ends the conversation.
fn unsure<T>(done: Result<T, StoreError>) -> Result<Option<T>, JournalError> {
    match done {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if may_ask_again(error.kind) => {
            tracing::warn!(%error, "the journal's store did not answer; asking again");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

impl Pause {
    /// Waits if no answer came.
    async fn after(&mut self, answer: &Answer<Real>) {
        match answer {
            Answer::Unsure => self.wait().await,
            _ => self.reset(),
        }
    }
}

/// The right to extend a journal of names.
#[derive(Debug)]
struct NamesClaim<O> {
    shelf: Shelf<O>,
    author: Author,
    rules: Rules,
    state: Mutex<ClaimState>,
}

#[derive(Debug)]
struct ClaimState {
    head: (Version, Head),
    fences: Vec<Seq>,
}

#[async_trait]
impl<O: Objects> Claim for NamesClaim<O> {
    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        let mut appending = Appending::<Real>::new(self.rules, entry.seq, entry.clone());
        let mut pause = Pause::default();
        while let Some(ask) = appending.ask() {
            let answer = self.shelf.carry_out(&ask, &Content::Entry(entry)).await?;
            pause.after(&answer).await;
            appending.handle(answer)?;
        }
        Ok(())
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        let mut claim = self.state.lock().await;
        if upto < claim.head.1.start {
            return Ok(Shortened::Dropped);
        }
        let name = SnapshotName { upto, epoch: self.author.epoch, run: self.author.run };
        let fences: Vec<Seq> = claim.fences.iter().copied().filter(|seq| *seq <= upto).collect();
        let snapshot = Snapshot { name, at_ms: Clock::boot().wall_ms(), fences, state };
        let fences = claim.fences.iter().copied();
        let mut shortening = Shortening::<Real>::new(self.rules, name, claim.head.clone(), fences);
        let mut pause = Pause::default();
        while let Some(ask) = shortening.ask() {
            let answer = self.shelf.carry_out(&ask, &Content::Snapshot(&snapshot, self.author)).await?;
            pause.after(&answer).await;
            shortening.handle(answer)?;
        }
        let (shortened, head) = shortening.done().expect("it asks nothing more");
        claim.head = head;
        Ok(shortened)
    }
}
