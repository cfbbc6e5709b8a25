//! What can be learnt of a journal without folding it: by an heir before its turn, by the reader of one key, by an operator.

use serde::Serialize;
use tenure_core::ids::Lineage;

use super::{Author, Entry, Kept, Place, Record, Seq, SnapshotName};
use crate::journal::Head;
use crate::store::Version;

/// A record, and the entry that it came with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyed {
    /// The number of its entry.
    pub seq: Seq,
    /// The record.
    pub record: Record,
}

impl Keyed {
    /// The records of `entry` that are about `key`.
    pub fn of(entry: Entry, key: &str) -> Vec<Self> {
        let seq = entry.seq;
        let records = entry.records.into_iter().filter(|record| record.key.as_deref() == Some(key));
        records.map(|record| Self { seq, record }).collect()
    }
}

/// A journal as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Look {
    /// The founding that it belongs to.
    pub lineage: Lineage,
    /// The first entry that no snapshot contains.
    pub start: Seq,
    /// The last entry.
    pub last: Seq,
    /// Who opened it last.
    pub opened_by: Author,
    /// The snapshot that stands for what is before the start.
    pub snapshot: Option<SnapshotLook>,
}

/// A snapshot as an operator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SnapshotLook {
    /// Which one it is.
    pub name: SnapshotName,
    /// The wall clock of its author.
    pub at_ms: u64,
    /// How long its state is.
    pub bytes: u64,
}

impl Look {
    /// A journal without a snapshot.
    pub fn new(lineage: Lineage, start: Seq, last: Seq, opened_by: Author) -> Self {
        Self { lineage, start, last, opened_by, snapshot: None }
    }

    /// The same journal with this snapshot, whose state is so long and was written at that time.
    #[must_use]
    pub fn with_snapshot(self, name: SnapshotName, at_ms: u64, bytes: u64) -> Self {
        Self { snapshot: Some(SnapshotLook { name, at_ms, bytes }), ..self }
    }

    /// How many entries are live.
    pub fn entries(&self) -> u64 {
        self.last.next().0.saturating_sub(self.start.0)
    }
}

/// What an heir has read before its turn. It may be old: whoever opens the journal after it is told what has come since.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ahead {
    /// Where it was read.
    pub place: Place,
    /// The snapshot, and the entries after it.
    pub kept: Kept,
    /// The head that was there, where a mechanism has one.
    pub head: Option<(Version, Head)>,
}

impl Ahead {
    /// What was read at `place`.
    pub fn new(place: Place, kept: Kept) -> Self {
        Self { place, kept, head: None }
    }

    /// The number of the first entry that was not read.
    pub fn next(&self) -> Seq {
        Seq(self.kept.start().0 + self.kept.entries.len() as u64)
    }

    /// What must be remembered of it to know later what is new.
    pub(crate) fn mark(&self) -> Mark {
        Mark { snapshot: self.kept.snapshot.as_ref().map(|snapshot| snapshot.name), next: self.next() }
    }
}

/// How far somebody has read: from which snapshot, up to which entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    snapshot: Option<SnapshotName>,
    next: Seq,
}

/// What an heir finds when it opens a journal that it has read ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// What was read ahead is the beginning; these are the entries after it.
    More(Vec<Entry>),
    /// The journal was shortened meanwhile, and what was read ahead is of no use. This is all.
    Anew(Kept),
}

impl Since {
    /// What `kept`, of a journal that is open, has beyond what was read ahead.
    pub(crate) fn of(kept: Kept, mark: Mark) -> Self {
        // The same start: nobody has removed anything from there on, so the same numbers have the same entries.
        if kept.snapshot.as_ref().map(|snapshot| snapshot.name) != mark.snapshot {
            return Self::Anew(kept);
        }
        let mut entries = kept.entries;
        let first = entries.partition_point(|entry| entry.seq < mark.next);
        Self::More(entries.split_off(first))
    }
}
