//! What is stored: meta, member records and ledger pages, as versioned JSON that people can read.
//!
//! Whoever can't decode a record concludes nothing from it: [`Incompatible`] carries the reason, and the reader reports
//! it and leaves the record alone. Fields that this version does not know are kept when a record is written back.

mod key;
mod member;
mod meta;
mod page;
mod version;

pub use key::Key;
pub use member::{MemberRecord, MemberState};
pub use meta::{Formation, Meta};
pub use page::{Heir, Holding, LedgerPage, Why};
pub use version::Version;

/// The record format that this build writes, and the newest that it reads.
pub const FORMAT: u32 = 1;

/// The greatest number that a record may hold: every JSON reader keeps it exactly.
pub const NUMBER_MAX: u64 = (1 << 53) - 1;

/// The most shards that a cluster may have.
pub const SHARDS_MAX: u32 = 1 << 21;

/// A record that this build does not understand. Its reader reports it, changes nothing, and concludes nothing from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {key} can't be used: {why}")]
pub struct Incompatible {
    /// Where the record is.
    pub key: Key,
    /// What is wrong with it.
    pub why: String,
}
