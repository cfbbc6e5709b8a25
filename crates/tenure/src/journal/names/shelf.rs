//! One journal's names, and what a machine asks about them.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tenure_core::ids::Lineage;
use tenure_core::journal::names::{Answer, Ask, Leftover, Opening, Real};
use tenure_core::message::When;
use tenure_core::record::Version;

use super::{Objects, READ_AHEAD};
use crate::clock::Clock;
use crate::journal::retry::{Pause, may_ask_again, until_answered};
use crate::journal::{Author, Damage, Entry, Fault, Head, JournalError, Place, Seq, Snapshot, SnapshotName};
use crate::store::{StoreError, Written};

/// One journal's names.
#[derive(Debug)]
pub(super) struct Shelf<O> {
    pub(super) objects: Arc<O>,
    pub(super) folder: String,
    pub(super) place: Place,
}

/// What is to be written, where an ask only names it.
pub(super) enum Content<'a> {
    Nothing,
    Fence(Author),
    Adoption { from: Lineage, lineage: Lineage },
    Entry(&'a Entry),
    Snapshot(&'a Snapshot, Author),
}

impl Content<'_> {
    fn encode(&self, place: &Place, seq: Seq) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::Fence(author) => Entry::fence(seq, *author, Clock::boot().wall_ms()).encode(place),
            Self::Adoption { from, lineage } => {
                Entry::adoption(seq, *from, *lineage, Clock::boot().wall_ms()).encode(place)
            }
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

    pub(super) async fn head(&self) -> Result<Option<Head>, JournalError> {
        let found = self.objects.read(&self.head_name()).await?;
        let head = found.map(|(_, bytes)| Head::decode(&self.place, &bytes)).transpose();
        Ok(head.map_err(Fault::Damaged)?)
    }

    /// The first live entry.
    pub(super) async fn start(&self) -> Result<Seq, JournalError> {
        Ok(self.head().await?.map_or(Seq::FIRST, |head| head.start))
    }

    pub(super) async fn entry(&self, seq: Seq) -> Result<Option<Entry>, JournalError> {
        let found = self.objects.read(&self.entry_name(seq)).await?;
        let entry = found.map(|(_, bytes)| Entry::decode(&self.place, seq, &bytes)).transpose();
        Ok(entry.map_err(Fault::Damaged)?)
    }

    /// Does what a machine asks. What failed and may be tried again is [`Answer::Unsure`].
    pub(super) async fn carry_out(
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
        let Some(names) = unsure(self.objects.list(&prefix, "", usize::MAX).await)? else {
            return Ok(Answer::Unsure);
        };
        // What is no snapshot of ours is left alone.
        let names = names.iter().filter_map(|name| name.strip_prefix(&prefix)?.parse().ok());
        Ok(Answer::Snapshots(names.collect()))
    }

    /// Carries out all that `opening` asks.
    pub(super) async fn converse(
        &self,
        opening: &mut Opening<Real>,
        content: &Content<'_>,
    ) -> Result<(), JournalError> {
        let mut pause = Pause::default();
        while let Some(ask) = opening.ask() {
            if opening.reads_from().is_some() {
                self.read_ahead(opening, &mut pause).await?;
                continue;
            }
            let answer = self.carry_out(&ask, content).await?;
            pause.after(&answer).await;
            opening.handle(answer)?;
        }
        Ok(())
    }

    /// The last entry from `from` on that a listing shows; it may be old.
    pub(super) async fn list_entries(&self, from: Seq) -> Result<Option<Seq>, JournalError> {
        let prefix = format!("{}log/", self.folder);
        let listed = self.objects.list(&prefix, &self.entry_name(from.before()), usize::MAX).await?;
        let number = |name: &String| u64::from_str_radix(name.strip_prefix(&prefix)?, 16).ok();
        Ok(listed.last().and_then(number).map(Seq))
    }

    /// Reads the live entries, many at once: a listing tells how many there may be.
    async fn read_ahead(&self, opening: &mut Opening<Real>, pause: &mut Pause) -> Result<(), JournalError> {
        let Some(from) = opening.reads_from() else { return Ok(()) };
        let last = until_answered(|| self.list_entries(from)).await?;
        if let Some(last) = last {
            opening.listed(last);
        }
        // One more than is listed, which may be absent: that ends the reading.
        let end = last.map_or(from, |last| last.max(from).next()).next();
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
    pub(super) async fn after(&mut self, answer: &Answer<Real>) {
        match answer {
            Answer::Unsure => self.wait().await,
            _ => self.reset(),
        }
    }
}
