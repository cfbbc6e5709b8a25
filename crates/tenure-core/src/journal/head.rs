//! The head of a journal, and the snapshots it names.
//!
//! The head is the one object that is replaced: it says where the live entries begin, and which snapshot stands for those before. A
//! snapshot is the state after an entry, as the journal's user writes it:
//!
//! ```text
//!  {"v":1,"journal":"carts","shard":3,"lineage":"…","upto":512,"epoch":7,"run":"…","fences":[1,300,511],"at":…,"bytes":1048576}
//!  the state, as it is
//!  {"sum":"…"}
//! ```

use std::fmt;
use std::str::FromStr;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::ids::{Epoch, Lineage, ShardId};

use super::author::{Author, JournalName, Run, Seq};
use super::entry::Place;
use super::fault::Damage;
use super::limits::STATE_BYTES_MAX;
use super::lines;

/// The most bytes of a snapshot, which beside its state lists the fences.
const SNAPSHOT_BYTES_MAX: usize = STATE_BYTES_MAX + (64 << 20);

const HEAD_BYTES_MAX: usize = 64 << 10;
const FORMAT: u32 = 1;

/// Where a journal's live entries begin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Head {
    /// The cluster's founding.
    pub lineage: Lineage,
    /// The first entry that the snapshot does not contain.
    pub start: Seq,
    /// The greatest epoch that the entries before may have.
    pub epoch: Epoch,
    /// What stands for the entries before `start`; `None` while it is the first.
    pub snapshot: Option<SnapshotName>,
    /// Below this number nothing is left to remove.
    pub cleared: Seq,
    /// What can be said of the snapshot without reading it.
    pub facts: Option<SnapshotFacts>,
}

/// What there is to know of a snapshot beside its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SnapshotFacts {
    /// The wall clock of its author.
    #[serde(rename = "at")]
    pub at_ms: u64,
    /// How long its state is.
    pub bytes: u64,
    /// The last fence that it contains.
    pub fence: Seq,
}

/// The name of a snapshot: never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SnapshotName {
    /// The last entry that it contains.
    pub upto: Seq,
    /// Who made it.
    pub epoch: Epoch,
    /// In which start of work.
    pub run: Run,
}

impl fmt::Display for SnapshotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{:x}-{}", self.upto.0, self.epoch.0, self.run)
    }
}

impl FromStr for SnapshotName {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let mut parts = name.split('-');
        let (Some(upto), Some(epoch), Some(run), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(());
        };
        let number = |text| u64::from_str_radix(text, 16).map_err(|_| ());
        let run = u128::from_str_radix(run, 16).map_err(|_| ())?;
        let read = Self { upto: Seq(number(upto)?), epoch: Epoch(number(epoch)?), run: Run(run) };
        // Only as it is written: a name is compared by its text too.
        if read.to_string() == name { Ok(read) } else { Err(()) }
    }
}

/// The state after an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its name.
    pub name: SnapshotName,
    /// The wall clock of its author, for people.
    pub at_ms: u64,
    /// The numbers of all fences up to it: those names are never removed.
    pub fences: Vec<Seq>,
    /// What the journal's user wrote.
    pub state: Bytes,
}

#[derive(Serialize, Deserialize)]
struct HeadLine {
    v: u32,
    journal: JournalName,
    shard: ShardId,
    lineage: Lineage,
    start: Seq,
    epoch: Epoch,
    snapshot: Option<SnapshotName>,
    cleared: Seq,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facts: Option<SnapshotFacts>,
}

#[derive(Serialize, Deserialize)]
struct SnapshotLine {
    v: u32,
    journal: JournalName,
    shard: ShardId,
    lineage: Lineage,
    upto: Seq,
    epoch: Epoch,
    run: Run,
    fences: Vec<Seq>,
    at: u64,
    bytes: usize,
}

impl Head {
    /// The head of a journal that nobody has written to.
    pub fn first(lineage: Lineage) -> Self {
        Self { lineage, start: Seq::FIRST, epoch: Epoch(0), snapshot: None, cleared: Seq::FIRST, facts: None }
    }

    /// The head as it is stored at `place`.
    pub fn encode(&self, place: &Place) -> Bytes {
        let Self { lineage, start, epoch, snapshot, cleared, facts } = *self;
        let (journal, shard) = (place.journal.clone(), place.shard);
        let line = HeadLine { v: FORMAT, journal, shard, lineage, start, epoch, snapshot, cleared, facts };
        lines::Writer::begin(&line).end()
    }

    /// Reads the head at `place`.
    pub fn decode(place: &Place, bytes: &[u8]) -> Result<Self, Damage> {
        Self::read(place, bytes)
            .map_err(|why| Damage::Unreadable { what: format!("the head of shard {}", place.shard), why })
    }

    fn read(place: &Place, bytes: &[u8]) -> Result<Self, String> {
        let line: HeadLine = lines::Reader::begin(bytes, HEAD_BYTES_MAX)?.first(FORMAT)?;
        lines::same("journal", &place.journal, &line.journal)?;
        lines::same("shard", &place.shard, &line.shard)?;
        let HeadLine { lineage, start, epoch, snapshot, cleared, facts, .. } = line;
        if snapshot.map_or(Seq(0), |name| name.upto).next() != start {
            return Err(format!("it begins at {start}, which is not the entry after its snapshot"));
        }
        Ok(Self { lineage, start, epoch, snapshot, cleared, facts })
    }
}

impl Snapshot {
    /// What there is to know of it beside its state.
    pub fn facts(&self) -> SnapshotFacts {
        let fence = self.fences.last().copied().unwrap_or_default();
        SnapshotFacts { at_ms: self.at_ms, bytes: self.state.len() as u64, fence }
    }

    /// The snapshot as it is stored at `place`.
    pub fn encode(&self, place: &Place, lineage: Lineage) -> Bytes {
        let SnapshotName { upto, epoch, run } = self.name;
        let (journal, shard, fences) = (place.journal.clone(), place.shard, self.fences.clone());
        let (at, bytes) = (self.at_ms, self.state.len());
        let line = SnapshotLine { v: FORMAT, journal, shard, lineage, upto, epoch, run, fences, at, bytes };
        let mut text = lines::Writer::begin(&line);
        text.raw(&self.state);
        text.end()
    }

    /// Reads the snapshot `name` at `place`, and whose it is.
    pub fn decode(place: &Place, name: SnapshotName, bytes: &Bytes) -> Result<(Self, Author), Damage> {
        let what = || format!("snapshot {name} of shard {}", place.shard);
        Self::read(place, name, bytes).map_err(|why| Damage::Unreadable { what: what(), why })
    }

    fn read(place: &Place, name: SnapshotName, bytes: &Bytes) -> Result<(Self, Author), String> {
        let mut lines = lines::Reader::begin(bytes, SNAPSHOT_BYTES_MAX)?;
        let line: SnapshotLine = lines.first(FORMAT)?;
        let said = SnapshotName { upto: line.upto, epoch: line.epoch, run: line.run };
        lines::same("journal", &place.journal, &line.journal)?;
        lines::same("shard", &place.shard, &line.shard)?;
        lines::same("name", &name, &said)?;
        let state = lines.state(bytes, line.bytes)?;
        let author = Author { lineage: line.lineage, epoch: line.epoch, run: line.run };
        Ok((Self { name, at_ms: line.at, fences: line.fences, state }, author))
    }
}
