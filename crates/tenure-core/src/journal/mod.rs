//! The journal: a log for each shard that only the owner of the moment can extend, with no clock in the argument.
//!
//! ```text
//!            open: a fence             append            open: a fence of the next owner
//!  … ─┬────────────┬──────────┬──────────┬──────────┬──────────┬───────────
//!     │ entry 41   │ fence 42 │ entry 43 │ entry 44 │ fence 45 │ entry 46      whatever the former owner still
//!     └────────────┴──────────┴──────────┴──────────┴──────────┴──────────     sends finds its number taken
//! ```
//! Entries are numbered without gaps. Who opens a journal writes a fence under the next number; every earlier writer then finds
//! the number that it would use next taken, today and in a year.
//!
//! Where to begin: [`entry`] is what is stored; [`names`] decides on stores that can create a name once (object storage, a folder),
//! [`rows`] on those that can change a row on a condition (SQL); [`group`] puts waiting records into one append;
//! [`part`] is the state of one key; [`limits`] says how large all this may be.

pub mod author;
pub mod entry;
pub mod fault;
pub mod group;
pub mod head;
pub mod limits;
pub mod names;
pub mod part;
pub mod rows;

mod lines;
#[cfg(not(feature = "flaws"))]
mod rules;
// The same rules, and ways to break them one at a time.
#[cfg(feature = "flaws")]
#[path = "flawed.rs"]
mod rules;

#[cfg(test)]
mod fuzz_tests;
#[cfg(test)]
mod golden_tests;

pub use author::{Author, JournalName, Run, Seq};
pub use entry::{Entry, Kind, Record};
pub use fault::Fault;
pub use head::{Head, Snapshot, SnapshotFacts, SnapshotName};
pub use part::{Part, Saved};
#[cfg(feature = "flaws")]
pub use rules::Flaw;
pub use rules::Rules;
