//! Journals in a PostgreSQL database: any number of machines share them.
//!
//! They have tables of their own, in the schema that the address names; ownership may be in the same one, over connections of its
//! own. What is acknowledged is on the server's disk, and on its synchronous standbys if there are any: a server with `fsync=off` is
//! refused, and `synchronous_commit` is on for our sessions whatever the default is.

mod batch;
mod gather;
mod line;
mod room;
mod row;
mod statement;

use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use tenure::clock::Clock;
use tenure::journal::{
    Author, Claim, Entry, Journal, JournalError, Kept, Opened, Place, Seq, Shortened, SnapshotName,
    until_answered,
};
use tenure::store::StoreError;
use tokio::sync::{mpsc, oneshot};

use self::gather::Append;
use self::room::{Done, JournalRoom};
use super::desk::Desk;
use super::error::{KIND, Trouble};
use super::open::{self, Missing};
use super::url::Options;
use crate::trouble::StoreTrouble;

/// How many appends of one journal may be on their way.
const UNDER_WAY: usize = 4;

/// Journals in a schema of a PostgreSQL database. Clones share the connections.
#[derive(Clone, Debug)]
pub struct PostgresJournal(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    desk: Desk,
    room: Arc<JournalRoom>,
    appends: mpsc::UnboundedSender<Append>,
}

impl PostgresJournal {
    /// Opens the journals that an address such as `postgres://user:password@host/database` names, and lays their tables out if they
    /// are not there.
    ///
    /// # Errors
    /// Says what is wrong with the address, the server or the user's rights, and what to do about it.
    pub async fn connect(address: &str) -> Result<Self, StoreError> {
        let options = Options::parse(address)?;
        let journal = Self::around(&options).map_err(|trouble| trouble.on("open", &options.shown))?;
        let line = &journal.0.room.snapshots;
        let (connection, tables) = (Arc::clone(&line.connection), Arc::clone(&line.options));
        let opened = journal.0.desk.ask(open::open(connection, tables, Missing::Create)).await;
        opened.map_err(|trouble| trouble.on("open", &options.shown))?;
        Ok(journal)
    }

    fn around(options: &Options) -> Result<Self, Trouble> {
        let (desk, room) = (Desk::start()?, Arc::new(JournalRoom::new(options)));
        let (appends, inbox) = mpsc::unbounded_channel();
        desk.keep(gather::serve(Arc::clone(&room), inbox));
        Ok(Self(Arc::new(Shared { desk, room, appends })))
    }
}

impl Shared {
    /// Has a step done until it is answered.
    async fn ask<T, F>(
        &self,
        operation: &'static str,
        place: &Place,
        step: impl Fn(Arc<JournalRoom>, Place) -> F,
    ) -> Result<T, JournalError>
    where
        T: Send + 'static,
        F: Future<Output = Done<T>> + Send + 'static,
    {
        until_answered(|| self.ask_once(operation, place, step(Arc::clone(&self.room), place.clone()))).await
    }

    async fn ask_once<T: Send + 'static>(
        &self,
        operation: &'static str,
        place: &Place,
        step: impl Future<Output = Done<T>> + Send + 'static,
    ) -> Result<T, JournalError> {
        self.desk.ask(step).await.unwrap_or_else(|trouble| Err(told(trouble, operation, place)))
    }

    /// Sends an append once; if the fence does not let it in, finds out what that means.
    async fn append(&self, claim: &PostgresClaim, entry: Entry) -> Result<(), JournalError> {
        let PostgresClaim { place, author, opened, .. } = claim;
        let (seq, (reply, answer)) = (entry.seq, oneshot::channel());
        let append = Append { place: place.clone(), author: *author, opened: *opened, entry, reply };
        // A thread that has ended drops it, and with it the reply.
        let _ = self.appends.send(append);
        let sent = answer.await.unwrap_or(Err(Trouble::Closed));
        if sent.map_err(|trouble| told(trouble, "append", place))? {
            return Ok(());
        }
        let (room, author, opened) = (Arc::clone(&self.room), *author, *opened);
        let at = place.clone();
        self.ask_once("append", place, async move { room.settle(&at, &author, opened, seq).await }).await
    }
}

fn told(trouble: Trouble, operation: &'static str, place: &Place) -> JournalError {
    match trouble {
        Trouble::Closed => JournalError::Closed,
        trouble => trouble.on(operation, &format!("{} of shard {}", place.journal, place.shard)).into(),
    }
}

#[async_trait]
impl Journal for PostgresJournal {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        let open = |room: Arc<JournalRoom>, place: Place| async move {
            room.open(&place, author, Clock::boot().wall_ms()).await
        };
        let (opened, snapshot, entries) = self.0.ask("open", place, open).await?;
        let claim = PostgresClaim { shared: Arc::clone(&self.0), place: place.clone(), author, opened };
        Ok(Opened { next: opened.next(), kept: Kept::new(snapshot, entries), claim: Box::new(claim) })
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        let read = |room: Arc<JournalRoom>, place: Place| async move { room.read(&place, from, limit).await };
        self.0.ask("read", place, read).await
    }
}

/// The right to extend a journal of a PostgreSQL database.
#[derive(Debug)]
struct PostgresClaim {
    shared: Arc<Shared>,
    place: Place,
    author: Author,
    /// The number of its fence.
    opened: Seq,
}

#[async_trait]
impl Claim for PostgresClaim {
    fn under_way(&self) -> usize {
        UNDER_WAY
    }

    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        until_answered(|| self.shared.append(self, entry.clone())).await
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        let name = SnapshotName { upto, epoch: self.author.epoch, run: self.author.run };
        let (lineage, at) = (self.author.lineage, Clock::boot().wall_ms());
        let shorten = |room: Arc<JournalRoom>, place: Place| {
            let state = state.clone();
            async move { room.shorten(&place, lineage, name, at, &state).await }
        };
        self.shared.ask("shorten", &self.place, shorten).await
    }
}
