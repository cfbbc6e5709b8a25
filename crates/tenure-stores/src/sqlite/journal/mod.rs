//! Journals in a SQLite file: any number of processes on one machine share it.
//!
//! A file of its own, beside the one that ownership uses: renewals of leases must not wait for commits of journals. It is written
//! ahead and fully synchronised, so what was acknowledged survives a power cut. One thread owns the connection, and puts the appends
//! that wait, of all shards, into one transaction: one synchronisation of the disk for all of them.

mod clerk;
pub(super) mod table;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tenure::clock::Clock;
use tenure::journal::rows::Holder;
use tenure::journal::{
    Author, Claim, Entry, Journal, JournalError, Kept, Opened, Place, Seq, Shortened, until_answered,
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
        let (holder, snapshot, entries) = until_answered(|| {
            let (place, at) = (place.clone(), Clock::boot().wall_ms());
            self.desk.ask("open", move |connection| table::open(connection, &place, author, at))
        })
        .await?;
        let (desk, place, known) = (Arc::clone(&self.desk), place.clone(), AtomicU64::new(holder.opened.0));
        let claim = Box::new(SqliteClaim { desk, place, holder, known });
        Ok(Opened { next: holder.opened.next(), kept: Kept::new(snapshot, entries), claim })
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
    holder: Holder,
    /// The last entry that is known to be stored.
    known: AtomicU64,
}

#[async_trait]
impl Claim for SqliteClaim {
    fn under_way(&self) -> usize {
        UNDER_WAY
    }

    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        until_answered(|| {
            let known = Seq(self.known.load(Ordering::Relaxed));
            self.desk.append(self.place.clone(), self.holder, known, entry.clone())
        })
        .await?;
        self.known.fetch_max(entry.seq.0, Ordering::Relaxed);
        Ok(())
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        until_answered(|| {
            let (place, author, state) = (self.place.clone(), self.holder.author, state.clone());
            let at = Clock::boot().wall_ms();
            let shorten = move |connection: &mut rusqlite::Connection| {
                table::shorten(connection, &place, &author, upto, at, &state)
            };
            self.desk.ask("shorten", shorten)
        })
        .await
    }
}
