//! The modelled store of names, and the true history beside it.

use std::collections::{BTreeMap, BTreeSet};

use tenure_core::ids::{Epoch, Lineage};
use tenure_core::journal::fault::Damage;
use tenure_core::journal::names::{Answer, Ask, Leftover, Shelf};
use tenure_core::journal::{Fault, Head, Seq, SnapshotName};

use crate::journal::history::{Fold, History, ToyEntry};
use crate::journal::promise::Promise;

/// What the machines keep here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Toy;

/// A snapshot: the state up to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ToySnapshot {
    pub(super) fences: Vec<Seq>,
    pub(super) state: Fold,
}

impl Shelf for Toy {
    type Entry = ToyEntry;
    type Snapshot = ToySnapshot;
    type Version = u16;

    fn fences(snapshot: &ToySnapshot) -> &[Seq] {
        &snapshot.fences
    }
}

/// A write on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Write {
    CreateHead(HeadKey),
    ReplaceHead(Option<u16>, HeadKey),
    CreateEntry(Seq, ToyEntry),
    CreateSnapshot(SnapshotName, ToySnapshot),
    Remove(Leftover),
}

/// What of a head differs between states: the rest is always the same here.
pub(super) type HeadKey = (Seq, u64, Option<SnapshotName>, Seq);

/// One name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Name {
    Head,
    Entry(Seq),
    Snapshot(SnapshotName),
}

/// What is stored under names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::journal) struct Names {
    pub(super) head: Option<(u16, Head)>,
    pub(super) log: BTreeMap<Seq, ToyEntry>,
    pub(super) snapshots: BTreeMap<SnapshotName, ToySnapshot>,
    /// What can't be read any more.
    pub(super) spoilt: BTreeSet<Name>,
}

/// What is stored, and what is true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Store {
    pub(super) names: Names,
    pub(super) history: History,
    /// The last number that was ever stored: what an old listing may show.
    pub(super) last_ever: Seq,
    /// A store that ignores the condition of a create.
    overwrites: bool,
    /// Somebody else has changed it: nothing is promised of what is stored any more.
    pub(super) is_damaged: bool,
}

impl Store {
    pub(super) fn new(overwrites: bool) -> Self {
        let (names, history) = (Names::default(), History::default());
        Self { names, history, last_ever: Seq(0), overwrites, is_damaged: false }
    }

    /// Answers a read. What is spoilt is told as the driver tells it.
    pub(super) fn read(&self, ask: &Ask<u16>) -> Result<Answer<Toy>, Fault> {
        let names = &self.names;
        let (name, found) = match ask {
            Ask::ReadHead => {
                let head = names.head.clone().map(|(version, head)| Answer::Head(version, head));
                (Name::Head, head)
            }
            Ask::ReadSnapshot(name) => {
                (Name::Snapshot(*name), names.snapshots.get(name).cloned().map(Answer::Snapshot))
            }
            Ask::ReadEntry(seq) => (Name::Entry(*seq), names.log.get(seq).copied().map(Answer::Entry)),
            Ask::ListSnapshots => {
                return Ok(Answer::Snapshots(names.snapshots.keys().copied().collect()));
            }
            Ask::CreateHead(_)
            | Ask::ReplaceHead(..)
            | Ask::CreateSnapshot(_)
            | Ask::CreateFence(_)
            | Ask::CreateEntry(_)
            | Ask::Remove(_) => unreachable!("{ask:?} is no read"),
        };
        match names.spoilt.contains(&name) {
            true => Err(unreadable(name)),
            false => Ok(found.unwrap_or(Answer::Absent)),
        }
    }

    /// Lets a write land.
    pub(super) fn land(&mut self, write: Write, lineage: Lineage) -> Result<Answer<Toy>, Promise> {
        let stored = match write {
            Write::CreateHead(head) => self.names.head.is_none().then(|| self.set_head(head, lineage)),
            Write::ReplaceHead(version, head) => {
                let now = self.names.head.as_ref().map(|(version, _)| *version);
                (version.is_none() || version == now).then(|| self.set_head(head, lineage))
            }
            Write::CreateEntry(seq, entry) => self.create(seq, entry)?,
            Write::CreateSnapshot(name, snapshot) => {
                self.names.snapshots.insert(name, snapshot);
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
            Leftover::Entry(seq) => drop(self.names.log.remove(&seq)),
            Leftover::Snapshot(name) => drop(self.names.snapshots.remove(&name)),
        }
    }

    fn set_head(&mut self, head: HeadKey, lineage: Lineage) -> Option<u16> {
        let (start, epoch, snapshot, cleared) = head;
        let version = self.names.head.as_ref().map_or(1, |(version, _)| version + 1);
        self.names.head =
            Some((version, Head { lineage, start, epoch: Epoch(epoch), snapshot, cleared, facts: None }));
        Some(version)
    }

    fn create(&mut self, seq: Seq, entry: ToyEntry) -> Result<Option<Option<u16>>, Promise> {
        if self.names.log.contains_key(&seq) && !self.overwrites {
            return Ok(None);
        }
        self.names.log.insert(seq, entry);
        self.last_ever = self.last_ever.max(seq);
        if !self.is_damaged {
            self.history.store(seq, entry)?;
        }
        Ok(Some(None))
    }

    /// V2 and V4, whatever changed.
    pub(super) fn check(&self) -> Result<(), Promise> {
        if self.is_damaged {
            return Ok(());
        }
        let (names, history) = (&self.names, &self.history);
        let start = names.head.as_ref().map_or(Seq::FIRST, |(_, head)| head.start);
        if start.until(history.end()).any(|seq| names.log.get(&seq) != history.at(seq)) {
            return Err(Promise::LiveLog);
        }
        let Some(name) = names.head.as_ref().and_then(|(_, head)| head.snapshot) else { return Ok(()) };
        let state = names.snapshots.get(&name).map(|snapshot| snapshot.state);
        match state.is_some() && state == history.fold(name.upto.next()) {
            true => Ok(()),
            false => Err(Promise::TrueSnapshot),
        }
    }
}

fn unreadable(name: Name) -> Fault {
    Fault::Damaged(Damage::Unreadable { what: format!("{name:?}"), why: "its sum is wrong".into() })
}
