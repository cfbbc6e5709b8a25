//! Journals in a SQLite file: any number of processes on one machine share it.
//!
//! A file of its own, beside the one that ownership uses: renewals of leases must not wait for commits of journals. It is written
//! ahead and fully synchronised, so what was acknowledged survives a power cut. One thread owns the connection, and puts the appends
//! that wait, of all shards, into one transaction: one synchronisation of the disk for all of them.

mod beside;
mod clerk;
pub(super) mod schema;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use rusqlite::Connection;
use tenure::Lineage;
use tenure::clock::Clock;
use tenure::journal::rows::Holder;
use tenure::journal::{
    Ahead, Author, Claim, Depot, Entry, Journal, JournalError, Kept, Keyed, Look, Opened, Part, Place, Saved,
    Seq, Shortened, limits, until_answered,
};
use tenure::store::StoreError;

use self::clerk::Desk;
use self::table::{Done, Known};
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

    /// Has `work` done about `what`, until an answer comes.
    async fn ask<W, T>(
        &self,
        operation: &'static str,
        what: W,
        work: impl Fn(&mut Connection, &W) -> Done<T> + Copy + Send + 'static,
    ) -> Result<T, JournalError>
    where
        W: Clone + Send + 'static,
        T: Send + 'static,
    {
        until_answered(|| {
            let what = what.clone();
            self.desk.ask(operation, move |connection| work(connection, &what))
        })
        .await
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
        self.open_after(Ahead::new(place.clone(), Kept::default()), author).await
    }

    async fn ahead(&self, place: &Place) -> Result<Ahead, JournalError> {
        let read = self.ask("read", place.clone(), table::ahead).await?;
        Ok(Ahead::new(place.clone(), read))
    }

    async fn open_after(&self, ahead: Ahead, author: Author) -> Result<Opened, JournalError> {
        let Ahead { place, kept, .. } = &ahead;
        let snapshot = kept.snapshot.as_ref().map(|snapshot| snapshot.name);
        let known = Known { snapshot, next: ahead.next() };
        let opened = until_answered(|| {
            let (place, at) = (place.clone(), Clock::boot().wall_ms());
            self.desk.ask("open", move |connection| table::open(connection, &place, author, known, at))
        })
        .await?;
        let (desk, place, holder) = (Arc::clone(&self.desk), place.clone(), opened.holder);
        let claim = Box::new(SqliteClaim { desk, place, holder, known: AtomicU64::new(holder.opened.0) });
        let snapshot = if opened.same_snapshot { kept.snapshot.clone() } else { opened.snapshot };
        let kept = ahead.kept.followed_by(snapshot, opened.entries);
        Ok(Opened { next: holder.opened.next(), kept, claim })
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        self.ask("read", place.clone(), move |connection, place| table::read(connection, place, from, limit))
            .await
    }

    async fn read_of(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Keyed>, JournalError> {
        limits::check_key(key)?;
        self.ask("read", (place.clone(), key.to_owned()), move |connection, (place, key)| {
            beside::read_of(connection, place, key, after, limit)
        })
        .await
    }

    async fn part(&self, place: &Place, key: &str) -> Result<Option<Part>, JournalError> {
        limits::check_key(key)?;
        let what = (place.clone(), key.to_owned());
        self.ask("read", what, |connection, (place, key)| beside::part(connection, place, key)).await
    }

    async fn save_part(
        &self,
        place: &Place,
        key: &str,
        seq: Seq,
        state: Bytes,
    ) -> Result<Saved, JournalError> {
        limits::check_part(key, &state)?;
        let part = Part { seq, at_ms: Clock::boot().wall_ms(), state };
        self.ask("save", (place.clone(), key.to_owned(), part), |connection, (place, key, part)| {
            beside::save_part(connection, place, key, part)
        })
        .await
    }

    async fn places(&self, after: Option<&Place>, limit: usize) -> Result<Vec<Place>, JournalError> {
        let after = after.cloned();
        self.ask("list", after, move |connection, after| beside::places(connection, after.as_ref(), limit))
            .await
    }

    async fn look(&self, place: &Place) -> Result<Option<Look>, JournalError> {
        self.ask("look", place.clone(), beside::look).await
    }

    async fn adopt(&self, place: &Place, lineage: Lineage) -> Result<Option<Lineage>, JournalError> {
        let at = Clock::boot().wall_ms();
        self.ask("adopt", place.clone(), move |connection, place| {
            table::adopt(connection, place, lineage, at)
        })
        .await
    }
}

#[async_trait]
impl Depot for SqliteJournal {
    async fn keep(&self, name: &str, bytes: Bytes) -> Result<(), JournalError> {
        limits::check_blob(name, &bytes)?;
        let what = (name.to_owned(), bytes);
        self.ask("keep", what, |connection, (name, bytes)| beside::keep(connection, name, bytes)).await
    }

    async fn fetch(&self, name: &str) -> Result<Option<Bytes>, JournalError> {
        limits::check_blob_name(name)?;
        self.ask("fetch", name.to_owned(), |connection, name| beside::fetch(connection, name)).await
    }

    async fn names(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, JournalError> {
        let what = (prefix.to_owned(), after.to_owned());
        self.ask("list", what, move |connection, (prefix, after)| {
            beside::names(connection, prefix, after, limit)
        })
        .await
    }

    async fn remove(&self, names: &[&str]) -> Result<(), JournalError> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        self.ask("remove", names, |connection, names| beside::remove(connection, names)).await
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
        limits::check_entry(entry)?;
        until_answered(|| {
            let known = Seq(self.known.load(Ordering::Relaxed));
            self.desk.append(self.place.clone(), self.holder, known, entry.clone())
        })
        .await?;
        self.known.fetch_max(entry.seq.0, Ordering::Relaxed);
        Ok(())
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        limits::check_state(&state)?;
        until_answered(|| {
            let (place, author, state) = (self.place.clone(), self.holder.author, state.clone());
            let at = Clock::boot().wall_ms();
            let shorten = move |connection: &mut Connection| {
                table::shorten(connection, &place, &author, upto, at, &state)
            };
            self.desk.ask("shorten", shorten)
        })
        .await
    }
}
