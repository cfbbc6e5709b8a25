//! The journal: a log for each shard that only its owner of the moment can extend.
//!
//! Ownership ends with a lease, and a lease ends by a clock. What was sent before it ended can arrive after it: at a sink that does
//! not look, an older owner overwrites a newer one. A journal looks. Its owner opens it with the epoch of its shard, and from then on
//! nothing that an earlier owner sends can be stored, whenever it arrives: no clock is part of the argument.
//!
//! ```text
//!  open   ends every earlier owner, and reads what they stored: a snapshot, and the entries after it
//!  commit stores records: all of them or none, in order, without gaps; waits for others only to be stored together with them
//!  shorten lets a snapshot stand for the entries so far
//! ```
//! Beside the entries there is what its users need to be quick: an heir [reads ahead](Journal::ahead) while the former owner works,
//! records are [found by key](Journal::read_of), a key has [a part](Journal::part), and what is large is kept in the [`Depot`]. [`layer`]s
//! add deadlines, figures and faults to any journal.
//!
//! State that is a fold of the entries is then the same for every owner that comes:
//!
//! ```
//! use std::sync::Arc;
//! use tenure::journal::{Author, Memory, Place, Record, Run, Writer, WriterLimits};
//! use tenure::{Epoch, Lineage, ShardId};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), tenure::journal::JournalError> {
//! let journal = Memory::new();
//! let place = Place { journal: "counter".parse().expect("a name"), shard: ShardId(3) };
//! let author = |epoch: u64| Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) };
//!
//! let (writer, kept) = Writer::open(&journal, &place, author(7), WriterLimits::default()).await?;
//! assert!(kept.records().next().is_none());
//! writer.commit(vec![Record::json(&"one more")]).await?;
//!
//! let (_, kept) = Writer::open(&journal, &place, author(8), WriterLimits::default()).await?;
//! assert_eq!(kept.records().count(), 1);
//! assert!(writer.commit(vec![Record::json(&"too late")]).await.is_err());
//! # Ok(())
//! # }
//! ```

mod contract;
mod depot;
mod error;
pub mod layer;
mod look;
mod memory;
pub mod names;
mod retry;
mod writer;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod writer_tests;

pub use contract::{Claim, Journal, Kept, Opened};
pub use depot::Depot;
pub use error::JournalError;
pub use look::{Ahead, Keyed, Look, Since, SnapshotLook};
pub use memory::Memory;
pub use retry::until_answered;
pub use tenure_core::journal::entry::Place;
pub use tenure_core::journal::fault::{Damage, Fault};
pub use tenure_core::journal::group::Limits as WriterLimits;
pub use tenure_core::journal::limits::{self, Unfit};
pub use tenure_core::journal::names::Shortened;
pub use tenure_core::journal::rows;
pub use tenure_core::journal::{
    Author, Entry, Head, JournalName, Kind, Part, Record, Run, Saved, Seq, Snapshot, SnapshotName,
};
pub(crate) use writer::Guard;
pub use writer::Writer;
