//! Journals inside one process: for tests and examples.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use tenure_core::journal::rows::{self, Fence, Holder, Settled};

use super::{
    Author, Claim, Entry, Journal, JournalError, Kept, Opened, Place, Seq, Shortened, Snapshot, SnapshotName,
};
use crate::clock::Clock;

/// Journals in memory. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<HashMap<Place, Log>>>);

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

    fn logs(&self) -> MutexGuard<'_, HashMap<Place, Log>> {
        // No step on a log can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Journal for Memory {
    fn kind(&self) -> &'static str {
        "memory"
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        let mut logs = self.logs();
        let fence = rows::open(logs.get(place).map(|log| &log.fence), &author)?;
        let log = logs.entry(place.clone()).or_insert_with(|| Log::new(fence));
        let kept = Kept { snapshot: log.snapshot.clone(), entries: log.entries.values().cloned().collect() };
        let seq = fence.opened;
        log.fence = fence;
        log.fences.push(seq);
        log.entries.insert(seq, Entry::fence(seq, author, Clock::boot().wall_ms()));
        let claim = MemoryClaim { journal: self.clone(), place: place.clone(), holder: fence.holder() };
        Ok(Opened { next: seq.next(), kept, claim: Box::new(claim) })
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        let logs = self.logs();
        let Some(log) = logs.get(place) else { return Ok(Vec::new()) };
        let start = log.fence.start;
        if from < start {
            return Err(JournalError::Shortened { start });
        }
        Ok(log.entries.range(from..).take(limit).map(|(_, entry)| entry.clone()).collect())
    }
}

impl Log {
    fn new(fence: Fence) -> Self {
        Self { fence, entries: BTreeMap::new(), fences: Vec::new(), snapshot: None }
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
        let mut logs = self.journal.logs();
        let log = logs.get_mut(&self.place).ok_or(JournalError::Closed)?;
        if rows::settle(&log.fence, &self.holder, entry.seq)? == Settled::NotYet {
            log.fence.last = entry.seq;
            log.entries.insert(entry.seq, entry.clone());
        }
        Ok(())
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        let mut logs = self.journal.logs();
        let log = logs.get_mut(&self.place).ok_or(JournalError::Closed)?;
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
