//! The modelled store, and the true history beside it: for each number the first entry that was ever stored under it.

use std::collections::BTreeMap;

use tenure_core::journal::names::{Answer, Ask, Leftover, Shelf, Stored};
use tenure_core::journal::{Author, Head, Seq, SnapshotName};

use super::promise::Promise;

/// What the machines keep in this search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Toy;

/// An entry: a fence, or one record with a number of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ToyEntry {
    pub(super) author: Author,
    pub(super) record: Option<u8>,
}

/// A snapshot: all records up to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ToySnapshot {
    pub(super) fences: Vec<Seq>,
    pub(super) records: Vec<u8>,
}

impl Shelf for Toy {
    type Entry = ToyEntry;
    type Snapshot = ToySnapshot;
    type Version = u8;

    fn fences(snapshot: &ToySnapshot) -> &[Seq] {
        &snapshot.fences
    }
}

impl Stored for ToyEntry {
    fn author(&self) -> &Author {
        &self.author
    }

    fn is_fence(&self) -> bool {
        self.record.is_none()
    }
}

/// A write on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Write {
    CreateHead(HeadKey),
    ReplaceHead(Option<u8>, HeadKey),
    CreateEntry(Seq, EntryKey),
    CreateSnapshot(SnapshotName, Vec<Seq>, Vec<u8>),
    Remove(Leftover),
}

/// What of a head differs between states: the rest is always the same here.
pub(super) type HeadKey = (Seq, u64, Option<SnapshotName>, Seq);
/// An entry in an order.
pub(super) type EntryKey = (Author, Option<u8>);

/// What is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Store {
    head: Option<(u8, Head)>,
    log: BTreeMap<Seq, ToyEntry>,
    snapshots: BTreeMap<SnapshotName, ToySnapshot>,
    /// The first entry ever stored under each number.
    history: Vec<ToyEntry>,
    /// A store that ignores the condition of a create.
    overwrites: bool,
}

impl Store {
    pub(super) fn new(overwrites: bool) -> Self {
        Self { overwrites, ..Self::default() }
    }

    /// The records of the history before `seq`, if it reaches so far.
    pub(super) fn fold(&self, seq: Seq) -> Option<Vec<u8>> {
        let before = self.history.get(..usize::try_from(seq.before().0).ok()?)?;
        Some(before.iter().filter_map(|entry| entry.record).collect())
    }

    pub(super) fn in_history(&self, seq: Seq) -> Option<&ToyEntry> {
        self.history.get(usize::try_from(seq.before().0).ok()?)
    }

    /// Answers a read.
    pub(super) fn read(&self, ask: &Ask<u8>) -> Answer<Toy> {
        let found = match ask {
            Ask::ReadHead => self.head.clone().map(|(version, head)| Answer::Head(version, head)),
            Ask::ReadSnapshot(name) => self.snapshots.get(name).cloned().map(Answer::Snapshot),
            Ask::ReadEntry(seq) => self.log.get(seq).copied().map(Answer::Entry),
            Ask::ListSnapshots => Some(Answer::Snapshots(self.snapshots.keys().copied().collect())),
            Ask::CreateHead(_)
            | Ask::ReplaceHead(..)
            | Ask::CreateSnapshot(_)
            | Ask::CreateFence(_)
            | Ask::CreateEntry(_)
            | Ask::Remove(_) => unreachable!("{ask:?} is no read"),
        };
        found.unwrap_or(Answer::Absent)
    }

    /// Lets a write land.
    pub(super) fn land(
        &mut self,
        write: Write,
        lineage: tenure_core::ids::Lineage,
    ) -> Result<Answer<Toy>, Promise> {
        let stored = match write {
            Write::CreateHead(head) => self.head.is_none().then(|| self.set_head(head, lineage)),
            Write::ReplaceHead(version, head) => {
                let same =
                    version.is_none_or(|version| self.head.as_ref().is_some_and(|(v, _)| *v == version));
                same.then(|| self.set_head(head, lineage))
            }
            Write::CreateEntry(seq, entry) => self.create(seq, entry)?,
            Write::CreateSnapshot(name, fences, records) => {
                self.snapshots.insert(name, ToySnapshot { fences, records });
                Some(None)
            }
            Write::Remove(leftover) => {
                self.remove(leftover);
                Some(None)
            }
        };
        self.check()?;
        Ok(stored.map_or(Answer::Refused, Answer::Stored))
    }

    pub(super) fn remove(&mut self, leftover: Leftover) {
        match leftover {
            Leftover::Entry(seq) => drop(self.log.remove(&seq)),
            Leftover::Snapshot(name) => drop(self.snapshots.remove(&name)),
        }
    }

    fn set_head(&mut self, head: HeadKey, lineage: tenure_core::ids::Lineage) -> Option<u8> {
        let (start, epoch, snapshot, cleared) = head;
        let version = self.head.as_ref().map_or(1, |(version, _)| version + 1);
        let epoch = tenure_core::ids::Epoch(epoch);
        self.head = Some((version, Head { lineage, start, epoch, snapshot, cleared, facts: None }));
        Some(version)
    }

    fn create(&mut self, seq: Seq, (author, record): EntryKey) -> Result<Option<Option<u8>>, Promise> {
        if self.log.contains_key(&seq) && !self.overwrites {
            return Ok(None);
        }
        let entry = ToyEntry { author, record };
        self.log.insert(seq, entry);
        let end = Seq(self.history.len() as u64 + 1);
        match seq.cmp(&end) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => self.extend(entry)?,
            std::cmp::Ordering::Greater => return Err(Promise::NoHoles),
        }
        Ok(Some(None))
    }

    /// V3 and V6, where the history grows.
    fn extend(&mut self, entry: ToyEntry) -> Result<(), Promise> {
        let last = self.history.last().map(|last| last.author);
        if last.is_some_and(|last| last.epoch > entry.author.epoch) {
            return Err(Promise::NeverBack);
        }
        if entry.record.is_some() && last.is_none_or(|last| last != entry.author) {
            return Err(Promise::NeverBack);
        }
        if entry.record.is_some() && self.history.iter().any(|other| other.record == entry.record) {
            return Err(Promise::OnceOnly);
        }
        self.history.push(entry);
        Ok(())
    }

    /// V2 and V4, whatever changed.
    pub(super) fn check(&self) -> Result<(), Promise> {
        let start = self.head.as_ref().map_or(Seq::FIRST, |(_, head)| head.start);
        let end = Seq(self.history.len() as u64 + 1);
        if start.until(end).any(|seq| self.log.get(&seq) != self.in_history(seq)) {
            return Err(Promise::LiveLog);
        }
        let named = self.head.as_ref().and_then(|(_, head)| head.snapshot);
        let true_to = |name: SnapshotName| {
            let snapshot = self.snapshots.get(&name)?;
            (Some(&snapshot.records) == self.fold(name.upto.next()).as_ref()).then_some(())
        };
        match named {
            Some(name) if true_to(name).is_none() => Err(Promise::TrueSnapshot),
            Some(_) | None => Ok(()),
        }
    }
}
