//! What a mechanism does: the contract between the journal's users and those who store it.

use std::fmt::Debug;

use async_trait::async_trait;
use bytes::Bytes;

use super::{Author, Entry, JournalError, Place, Record, Seq, Shortened, Snapshot};

/// A place for journals.
#[async_trait]
pub trait Journal: Send + Sync + Debug + 'static {
    /// What kind of place this is, such as `sqlite`; for messages.
    fn kind(&self) -> &'static str;

    /// Opens the journal at `place` for `author`: the first act of every start of work. Ends every lower epoch, and every other start
    /// of work of the same; answers with all that they stored.
    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError>;

    /// At most `limit` entries from `from` on, in order and without gaps; fewer only where the journal ends. Asks nobody's leave.
    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError>;
}

/// A journal that is open.
#[derive(Debug)]
pub struct Opened {
    /// The number of the first entry to append.
    pub next: Seq,
    /// What was stored before.
    pub kept: Kept,
    /// The right to extend it, until somebody else opens it.
    pub claim: Box<dyn Claim>,
}

/// What earlier owners stored.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The state after the entry that it names.
    pub snapshot: Option<Snapshot>,
    /// All entries since.
    pub entries: Vec<Entry>,
}

impl Kept {
    /// A snapshot, and the entries after it.
    pub fn new(snapshot: Option<Snapshot>, entries: Vec<Entry>) -> Self {
        Self { snapshot, entries }
    }

    /// The records since the snapshot, in order.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.entries.iter().flat_map(|entry| &entry.records)
    }
}

/// The right to extend a journal.
#[async_trait]
pub trait Claim: Send + Sync + Debug {
    /// How many appends may be under way at once, each after the one before it was begun.
    fn under_way(&self) -> usize {
        1
    }

    /// Stores `entry`, whose number is the one after the last. Settles by itself what is uncertain, as long as that takes. If it is
    /// dropped before, the entry may be stored later: the same entry may be appended again, and no other under its number.
    async fn append(&self, entry: &Entry) -> Result<(), JournalError>;

    /// Lets `state` stand for all entries up to `upto`, which must have been appended or read; then those may be removed.
    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError>;
}
