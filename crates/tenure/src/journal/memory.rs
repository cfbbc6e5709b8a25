//! Journals inside one process: for tests and examples.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use tenure_core::ids::Lineage;
use tenure_core::journal::rows::{self, Fence, Holder, Settled};

use super::{
    Ahead, Author, Claim, Depot, Entry, Journal, JournalError, Kept, Keyed, Look, Opened, Part, Place, Saved,
    Seq, Shortened, Snapshot, SnapshotName, limits,
};
use crate::clock::Clock;

/// Journals in memory. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    logs: BTreeMap<Place, Log>,
    parts: HashMap<(Place, String), Part>,
    blobs: BTreeMap<String, Bytes>,
}

#[derive(Debug)]
struct Log {
    fence: Fence,
    entries: BTreeMap<Seq, Entry>,
    fences: Vec<Seq>,
    snapshot: Option<Snapshot>,
}

impl Memory {
    /// No journals.
    pub fn new() -> Self {
        Self::default()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // No step on the contents can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Journal for Memory {
    fn kind(&self) -> &'static str {
        "memory"
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        let mut contents = self.contents();
        let fence = rows::open(contents.logs.get(place).map(|log| &log.fence), &author)?;
        let log = contents.logs.entry(place.clone()).or_insert_with(|| Log::new(fence));
        let kept = log.kept();
        log.fence_off(fence, Entry::fence(fence.opened, author, Clock::boot().wall_ms()));
        let claim = MemoryClaim { journal: self.clone(), place: place.clone(), holder: fence.holder() };
        Ok(Opened { next: fence.opened.next(), kept, claim: Box::new(claim) })
    }

    async fn ahead(&self, place: &Place) -> Result<Ahead, JournalError> {
        let kept = self.contents().logs.get(place).map(Log::kept);
        Ok(Ahead::new(place.clone(), kept.unwrap_or_default()))
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        let contents = self.contents();
        let Some(log) = contents.logs.get(place) else { return Ok(Vec::new()) };
        log.refuse_shortened(from)?;
        Ok(log.entries.range(from..).take(limit).map(|(_, entry)| entry.clone()).collect())
    }

    async fn read_of(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Keyed>, JournalError> {
        limits::check_key(key)?;
        let contents = self.contents();
        let Some(log) = contents.logs.get(place) else { return Ok(Vec::new()) };
        log.refuse_shortened(after.next())?;
        let found = log.entries.range(after.next()..).map(|(_, entry)| Keyed::of(entry.clone(), key));
        Ok(found.filter(|records| !records.is_empty()).take(limit).flatten().collect())
    }

    async fn part(&self, place: &Place, key: &str) -> Result<Option<Part>, JournalError> {
        limits::check_key(key)?;
        Ok(self.contents().parts.get(&(place.clone(), key.to_owned())).cloned())
    }

    async fn save_part(
        &self,
        place: &Place,
        key: &str,
        seq: Seq,
        state: Bytes,
    ) -> Result<Saved, JournalError> {
        limits::check_part(key, &state)?;
        let mut contents = self.contents();
        let name = (place.clone(), key.to_owned());
        match contents.parts.get(&name) {
            Some(held) if held.seq > seq => return Ok(Saved::Dropped),
            Some(held) if held.seq == seq => return Ok(Saved::Stored),
            Some(_) | None => {}
        }
        contents.parts.insert(name, Part { seq, at_ms: Clock::boot().wall_ms(), state });
        Ok(Saved::Stored)
    }

    async fn places(&self, after: Option<&Place>, limit: usize) -> Result<Vec<Place>, JournalError> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let contents = self.contents();
        let places = contents.logs.range::<Place, _>((from, Bound::Unbounded));
        Ok(places.take(limit).map(|(place, _)| place.clone()).collect())
    }

    async fn look(&self, place: &Place) -> Result<Option<Look>, JournalError> {
        Ok(self.contents().logs.get(place).map(Log::look))
    }

    async fn adopt(&self, place: &Place, lineage: Lineage) -> Result<Option<Lineage>, JournalError> {
        let mut contents = self.contents();
        let log = contents.logs.get_mut(place).ok_or_else(|| JournalError::NoJournal(place.clone()))?;
        let from = log.fence.lineage;
        let Some(fence) = rows::adopt(&log.fence, lineage) else { return Ok(None) };
        log.fence_off(fence, Entry::adoption(fence.last, from, lineage, Clock::boot().wall_ms()));
        Ok(Some(from))
    }
}

#[async_trait]
impl Depot for Memory {
    async fn keep(&self, name: &str, bytes: Bytes) -> Result<(), JournalError> {
        limits::check_blob(name, &bytes)?;
        let mut contents = self.contents();
        let held = contents.blobs.entry(name.into()).or_insert_with(|| bytes.clone());
        if *held == bytes { Ok(()) } else { Err(JournalError::Taken(name.into())) }
    }

    async fn fetch(&self, name: &str) -> Result<Option<Bytes>, JournalError> {
        limits::check_blob_name(name)?;
        Ok(self.contents().blobs.get(name).cloned())
    }

    async fn names(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, JournalError> {
        let contents = self.contents();
        let later = contents.blobs.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        let names = later.map(|(name, _)| name).filter(|name| name.starts_with(prefix));
        Ok(names.take(limit).cloned().collect())
    }

    async fn remove(&self, names: &[&str]) -> Result<(), JournalError> {
        let mut contents = self.contents();
        names.iter().for_each(|name| drop(contents.blobs.remove(*name)));
        Ok(())
    }
}

impl Log {
    fn new(fence: Fence) -> Self {
        Self { fence, entries: BTreeMap::new(), fences: Vec::new(), snapshot: None }
    }

    fn kept(&self) -> Kept {
        Kept { snapshot: self.snapshot.clone(), entries: self.entries.values().cloned().collect() }
    }

    fn fence_off(&mut self, fence: Fence, entry: Entry) {
        self.fence = fence;
        self.fences.push(entry.seq);
        self.entries.insert(entry.seq, entry);
    }

    fn refuse_shortened(&self, from: Seq) -> Result<(), JournalError> {
        let start = self.fence.start;
        if from < start { Err(JournalError::Shortened { start }) } else { Ok(()) }
    }

    fn look(&self) -> Look {
        let Fence { lineage, last, start, .. } = self.fence;
        let look = Look::new(lineage, start, last, self.fence.holder().author);
        match &self.snapshot {
            Some(snapshot) => {
                let facts = snapshot.facts();
                look.with_snapshot(snapshot.name, facts.at_ms, facts.bytes)
            }
            None => look,
        }
    }
}

#[derive(Debug)]
struct MemoryClaim {
    journal: Memory,
    place: Place,
    holder: Holder,
}

#[async_trait]
impl Claim for MemoryClaim {
    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        limits::check_entry(entry)?;
        let mut contents = self.journal.contents();
        let log = contents.logs.get_mut(&self.place).ok_or(JournalError::Closed)?;
        if rows::settle(&log.fence, &self.holder, entry.seq)? == Settled::NotYet {
            log.fence.last = entry.seq;
            log.entries.insert(entry.seq, entry.clone());
        }
        Ok(())
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        limits::check_state(&state)?;
        let mut contents = self.journal.contents();
        let log = contents.logs.get_mut(&self.place).ok_or(JournalError::Closed)?;
        let author = self.holder.author;
        let Some(fence) = rows::shorten(&log.fence, &author, upto)? else { return Ok(Shortened::Dropped) };
        let name = SnapshotName { upto, epoch: author.epoch, run: author.run };
        let fences = log.fences.iter().copied().filter(|seq| *seq <= upto).collect();
        log.snapshot = Some(Snapshot { name, at_ms: Clock::boot().wall_ms(), fences, state });
        log.fence = fence;
        log.entries = log.entries.split_off(&upto.next());
        Ok(Shortened::Cleared)
    }
}
