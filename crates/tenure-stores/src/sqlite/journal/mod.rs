//! Journals in a SQLite file: any number of processes on one machine share it.
//!
//! A file of its own, beside the one that ownership uses: renewals of leases must not wait for commits of journals. It is written
//! ahead and fully synchronised, so what was acknowledged survives a power cut. One thread owns the connection, and puts the appends
//! that wait, of all shards, into one transaction: one synchronisation of the disk for all of them.

mod clerk;
pub(super) mod table;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tenure::clock::Clock;
use tenure::journal::{
    Author, Claim, Entry, Journal, JournalError, Kept, Opened, Place, Seq, Shortened, SnapshotName,
    until_answered,
};
use tenure::store::StoreError;

use self::clerk::Desk;
use super::{database_file, url};

/// How long a call waits for a lock.
const PATIENCE: Duration = Duration::from_millis(250);

/// How many appends of one journal may wait for the same commit.
const UNDER_WAY: usize = 4;

/// Journals in a SQLite file. Clones share the connection.
#[derive(Clone, Debug)]
pub struct SqliteJournal {
    desk: Arc<Desk>,
}

impl SqliteJournal {
    /// Opens the file at `path`, and makes it if it is not there.
    ///
    /// # Errors
    /// If the file can't be used: it is on a network file system, others can write it, or it belongs to another program.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let place = database_file::DatabaseFile::find(path.as_ref())?;
        Ok(Self { desk: Arc::new(Desk::open(place, PATIENCE).await?) })
    }

    /// Opens the file that `address` names, such as `sqlite:journal.db`.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if `address` is none.
    pub async fn connect(address: &str) -> Result<Self, StoreError> {
        Self::open(url::path_of(address)?).await
    }
}

#[async_trait]
impl Journal for SqliteJournal {
    fn kind(&self) -> &'static str {
        "sqlite"
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        let (last, snapshot, entries) = until_answered(|| {
            let (place, at) = (place.clone(), Clock::boot().wall_ms());
            self.desk.ask("open", move |connection| table::open(connection, &place, author, at))
        })
        .await?;
        let claim = SqliteClaim { desk: Arc::clone(&self.desk), place: place.clone(), author };
        Ok(Opened { next: last.next(), kept: Kept::new(snapshot, entries), claim: Box::new(claim) })
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        until_answered(|| {
            let place = place.clone();
            self.desk.ask("read", move |connection| table::read(connection, &place, from, limit))
        })
        .await
    }
}

/// The right to extend a journal of a SQLite file.
#[derive(Debug)]
struct SqliteClaim {
    desk: Arc<Desk>,
    place: Place,
    author: Author,
}

#[async_trait]
impl Claim for SqliteClaim {
    fn under_way(&self) -> usize {
        UNDER_WAY
    }

    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        until_answered(|| self.desk.append(self.place.clone(), self.author, entry.clone())).await
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        let name = SnapshotName { upto, epoch: self.author.epoch, run: self.author.run };
        until_answered(|| {
            let (place, lineage, state) = (self.place.clone(), self.author.lineage, state.clone());
            let at = Clock::boot().wall_ms();
            let shorten = move |connection: &mut rusqlite::Connection| {
                table::shorten(connection, &place, lineage, name, at, &state)
            };
            self.desk.ask("shorten", shorten)
        })
        .await
    }
}
