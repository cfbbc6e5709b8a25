//! A journal on a store that can create a name once: object storage, or a folder.
//!
//! ```text
//!  head          where the live entries begin, and the snapshot before them    replaced by version
//!  log/<seq>     the entries                                                   created if absent
//!  snap/<name>   snapshots                                                     created; a name is used once
//! ```
//! The danger in such a log: a name that was deleted can be created again, and a write may land a day late. So fences are never
//! deleted, an opener looks at the head twice, and what is uncertain is settled by reading that very name ([J1–J7 in
//! docs/journal.md]).
//!
//! Machines, each for one conversation with the store: [`Opening`], [`Appending`], [`Shortening`], [`Adopting`]. Each says what to ask
//! ([`Ask`]) and is told the answer ([`Answer`]). An answer that never came is [`Answer::Unsure`]: the request may land later.

mod adopting;
mod appending;
mod opening;
mod shortening;

use std::fmt::Debug;

use crate::ids::Lineage;
use crate::record::Version;

use super::author::{Author, Seq};
use super::entry::{Entry, Kind};
use super::head::{Head, Snapshot, SnapshotName};

pub use adopting::{Adopted, Adopting};
pub use appending::Appending;
pub use opening::{Opened, Opening};
pub use shortening::{Shortened, Shortening};

/// What is kept in a journal, as far as the machines care.
pub trait Shelf: Clone + Debug {
    /// An entry.
    type Entry: Stored;
    /// A snapshot with its state.
    type Snapshot: Clone + Debug;
    /// What a store gives out with the head, and takes as a condition.
    type Version: Clone + Debug + PartialEq;

    /// The fences that a snapshot lists.
    fn fences(snapshot: &Self::Snapshot) -> &[Seq];
}

/// What the machines must know of an entry.
pub trait Stored: Clone + Debug + PartialEq {
    /// Who wrote it.
    fn author(&self) -> &Author;
    /// Whether it opens rather than extends.
    fn is_fence(&self) -> bool;
    /// The lineage of the entries before, if it takes them over for another.
    fn adopts(&self) -> Option<Lineage> {
        None
    }
}

/// What a real journal keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Real;

impl Shelf for Real {
    type Entry = Entry;
    type Snapshot = Snapshot;
    type Version = Version;

    fn fences(snapshot: &Snapshot) -> &[Seq] {
        &snapshot.fences
    }
}

impl Stored for Entry {
    fn author(&self) -> &Author {
        &self.author
    }

    fn is_fence(&self) -> bool {
        match self.kind {
            Kind::Fence | Kind::Adoption { .. } => true,
            Kind::Batch => false,
        }
    }

    fn adopts(&self) -> Option<Lineage> {
        match self.kind {
            Kind::Adoption { from } => Some(from),
            Kind::Fence | Kind::Batch => None,
        }
    }
}

/// What a machine wants to have done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ask<V> {
    /// Read the head.
    ReadHead,
    /// Create the head, if it is absent.
    CreateHead(Head),
    /// Replace the head, if it still has this version.
    ReplaceHead(Option<V>, Head),
    /// Read a snapshot.
    ReadSnapshot(SnapshotName),
    /// Create the snapshot that is to be kept.
    CreateSnapshot(SnapshotName),
    /// List the names of all snapshots.
    ListSnapshots,
    /// Read an entry.
    ReadEntry(Seq),
    /// Create a fence of this start of work under a number, if it is free; an adoption, where somebody adopts.
    CreateFence(Seq),
    /// Create the entry that is to be appended under a number, if it is free.
    CreateEntry(Seq),
    /// Remove what has no use any more.
    Remove(Vec<Leftover>),
}

/// Something that may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leftover {
    /// An entry that a snapshot contains.
    Entry(Seq),
    /// A snapshot that a later one replaced.
    Snapshot(SnapshotName),
}

/// What the store said.
#[derive(Clone, Debug)]
pub enum Answer<K: Shelf> {
    /// Nothing has this name.
    Absent,
    /// The head, with its version.
    Head(K::Version, Head),
    /// The snapshot.
    Snapshot(K::Snapshot),
    /// The entry.
    Entry(K::Entry),
    /// The names of all snapshots.
    Snapshots(Vec<SnapshotName>),
    /// It was done; a head has this version now.
    Stored(Option<K::Version>),
    /// It was not done: the name is taken, or the version is another.
    Refused,
    /// No answer came, or none that says what happened. A write may have landed, or may land later.
    Unsure,
}
