//! Owners for rules to play with.

use bytes::Bytes;
use tenure_core::ids::{Epoch, Lineage, ShardId};

use super::told;
use crate::journal::{
    Author, Claim, Entry, Journal, JournalError, Kept, Opened, Place, Record, Run, Seq, Shortened,
};

/// The place that rules use.
pub(super) fn place() -> Place {
    place_of("counter", 3)
}

pub(super) fn place_of(journal: &str, shard: u32) -> Place {
    Place { journal: journal.parse().expect("a name"), shard: ShardId(shard) }
}

pub(super) fn author(epoch: u64, run: u128) -> Author {
    Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(run) }
}

/// One start of work.
#[derive(Debug)]
pub(super) struct Owner {
    pub(super) author: Author,
    pub(super) next: Seq,
    pub(super) kept: Kept,
    pub(super) claim: Box<dyn Claim>,
}

impl Owner {
    pub(super) async fn try_open(journal: &dyn Journal, author: Author) -> Result<Self, JournalError> {
        let Opened { next, kept, claim } = journal.open(&place(), author).await?;
        Ok(Self { author, next, kept, claim })
    }

    pub(super) async fn open(journal: &dyn Journal, author: Author) -> Self {
        let opened = Self::try_open(journal, author).await;
        opened.unwrap_or_else(|error| panic!("{author:?} could not open: {}", told(&error)))
    }

    /// The next entry, which holds `numbers`.
    pub(super) fn entry(&self, numbers: &[u64]) -> Entry {
        let records = numbers.iter().map(Record::json).collect();
        Entry::batch(self.next, self.author, 1_767_225_600_000, records)
    }

    pub(super) async fn try_append(&mut self, numbers: &[u64]) -> Result<Seq, JournalError> {
        let entry = self.entry(numbers);
        self.claim.append(&entry).await?;
        self.next = entry.seq.next();
        Ok(entry.seq)
    }

    pub(super) async fn append(&mut self, numbers: &[u64]) -> Seq {
        let appended = self.try_append(numbers).await;
        appended.unwrap_or_else(|error| panic!("{:?} could not append: {}", self.author, told(&error)))
    }

    pub(super) async fn shorten(&self, upto: Seq, numbers: &[u64]) -> Shortened {
        let state: Bytes = serde_json::to_vec(numbers).expect("numbers are JSON").into();
        let shortened = self.claim.shorten(upto, state).await;
        shortened.unwrap_or_else(|error| panic!("{:?} could not shorten: {}", self.author, told(&error)))
    }

    /// All numbers that it found.
    pub(super) fn found(&self) -> Vec<u64> {
        numbers(&self.kept)
    }
}

/// All numbers that were kept.
pub(super) fn numbers(kept: &Kept) -> Vec<u64> {
    let state = kept.snapshot.iter();
    let state = state.flat_map(|snapshot| serde_json::from_slice::<Vec<u64>>(&snapshot.state).expect("ours"));
    state.chain(kept.entries.iter().flat_map(numbers_of)).collect()
}

/// The numbers of one entry.
pub(super) fn numbers_of(entry: &Entry) -> Vec<u64> {
    let number = |record: &Record| serde_json::from_slice(&record.body).expect("ours");
    entry.records.iter().map(number).collect()
}
