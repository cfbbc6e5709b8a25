//! What a mechanism does: the contract between the journal's users and those who store it.

use std::fmt::Debug;

use async_trait::async_trait;
use bytes::Bytes;
use tenure_core::ids::Lineage;

use super::{
    Ahead, Author, Depot, Entry, JournalError, Keyed, Look, Part, Place, Record, Saved, Seq, Shortened,
    Snapshot,
};

/// A place for journals, with a [`Depot`] beside them.
///
/// An heir reads ahead, and is told what came since; one key is read by itself:
///
/// ```
/// use tenure::journal::{Author, Journal, Memory, Place, Record, Run, Seq, Since, Writer, WriterLimits};
/// use tenure::{Epoch, Lineage, ShardId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), tenure::journal::JournalError> {
/// let journal = Memory::new();
/// let place = Place { journal: "carts".parse().expect("a name"), shard: ShardId(3) };
/// let author = |epoch: u64| Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) };
/// let (former, _) = Writer::open(&journal, &place, author(7), WriterLimits::default()).await?;
/// former.commit(vec![Record::json(&"apples").about("cart-9"), Record::json(&"pears").about("cart-10")]).await?;
///
/// let ahead = journal.ahead(&place).await?; // while the former owner still works
/// let seq = former.commit(vec![Record::json(&"plums").about("cart-9")]).await?;
/// let (heir, since) = Writer::open_after(&journal, ahead, author(8), WriterLimits::default()).await?;
/// assert!(matches!(since, Since::More(entries) if entries[0].seq == seq));
///
/// assert_eq!(journal.read_of(&place, "cart-9", Seq(0), 100).await?.len(), 2);
/// journal.save_part(&place, "cart-9", seq, r#"["apples","plums"]"#.into()).await?;
/// let part = journal.part(&place, "cart-9").await?.expect("it was saved");
/// assert!(journal.read_of(&place, "cart-9", part.seq, 100).await?.is_empty());
/// # drop(heir);
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Journal: Depot {
    /// What kind of place this is, such as `sqlite`; for messages.
    fn kind(&self) -> &'static str;

    /// Opens the journal at `place` for `author`: the first act of every start of work. Ends every lower epoch, and every other start
    /// of work of the same; answers with all that they stored.
    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError>;

    /// Reads what is at `place` without opening it, for an heir that warms up. It may be old when it is used.
    async fn ahead(&self, place: &Place) -> Result<Ahead, JournalError>;

    /// Opens as [`open`](Self::open) does, for an heir that has read `ahead`. It answers with all that is stored, as `open` would,
    /// and may leave out of its reading what `ahead` holds and nobody has removed since. What came between is read after the claim.
    async fn open_after(&self, ahead: Ahead, author: Author) -> Result<Opened, JournalError> {
        self.open(&ahead.place, author).await
    }

    /// At most `limit` entries from `from` on, in order and without gaps; fewer only where the journal ends. Asks nobody's leave.
    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError>;

    /// The records about `key` of entries after `after`, in order: those of at most `limit` entries, and of each entry all. No other
    /// entry is read. With the key's [`part`](Self::part) they are its state.
    ///
    /// Mechanisms with an index in the store (SQLite, PostgreSQL) and memory answer for every journal. On names the owner has
    /// the index, in memory: there it answers where the journal is open through this handle or a clone of it, with all that was
    /// acknowledged here, and elsewhere with [`JournalError::NotOpen`]: ask the owner.
    ///
    /// Fails with [`JournalError::Shortened`] if entries after `after` were removed. If the parts of all keys stand for these, ask
    /// again from the start that it names.
    async fn read_of(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Keyed>, JournalError>;

    /// The last part of `key` that was saved.
    async fn part(&self, place: &Place, key: &str) -> Result<Option<Part>, JournalError>;

    /// Saves `state` as the fold of all records about `key` up to the entry `seq`, which must be stored. Asks nobody's leave: whoever
    /// makes it from stored entries makes it true. A newer one stays.
    async fn save_part(
        &self,
        place: &Place,
        key: &str,
        seq: Seq,
        state: Bytes,
    ) -> Result<Saved, JournalError>;

    /// At most `limit` places of journals that come after `after`, in an order that is the same each time; fewer only at the end.
    async fn places(&self, after: Option<&Place>, limit: usize) -> Result<Vec<Place>, JournalError>;

    /// What can be said of the journal at `place` without folding it; `None` if there is none.
    async fn look(&self, place: &Place) -> Result<Option<Look>, JournalError>;

    /// Lets the journal at `place`, which another founding wrote, go on under `lineage`: an operator's word. Ends all owners of the
    /// other founding. Answers with the lineage that it had; `None` if it was `lineage` already, if only by a try of this call that a
    /// store did not answer.
    ///
    /// # Errors
    /// [`JournalError::NoJournal`] if there is none.
    async fn adopt(&self, place: &Place, lineage: Lineage) -> Result<Option<Lineage>, JournalError>;
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

    /// What is kept if these were read ahead, and a journal that was opened since has `snapshot`, and `more` after what was read
    /// ahead or after the snapshot, whichever comes last.
    #[must_use]
    pub fn followed_by(self, snapshot: Option<Snapshot>, more: Vec<Entry>) -> Self {
        let now = Self { snapshot, entries: Vec::new() };
        let start = now.start();
        let entries = self.entries.into_iter().filter(|entry| entry.seq >= start).chain(more).collect();
        Self { entries, ..now }
    }

    /// The number of the first entry that the snapshot does not contain.
    pub fn start(&self) -> Seq {
        self.snapshot.as_ref().map_or(Seq(0), |snapshot| snapshot.name.upto).next()
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
