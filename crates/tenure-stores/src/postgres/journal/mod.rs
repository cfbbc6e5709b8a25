//! Journals in a PostgreSQL database: any number of machines share them.
//!
//! They have tables of their own, in the schema that the address names; ownership may be in the same one, over connections of its
//! own. What is acknowledged is on the server's disk, and on its synchronous standbys if there are any: a server with `fsync=off` is
//! refused, and `synchronous_commit` is on for our sessions whatever the default is.

mod batch;
mod beside;
mod claim;
mod gather;
mod line;
mod room;
mod row;
mod statement;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_trait::async_trait;
use bytes::Bytes;
use tenure::Lineage;
use tenure::clock::Clock;
use tenure::journal::rows::Holder;
use tenure::journal::{
    Ahead, Author, Depot, Entry, Journal, JournalError, Kept, Keyed, Look, Opened, Part, Place, Saved, Seq,
    limits, until_answered,
};
use tenure::store::{StoreError, StoreErrorKind};
use tokio::sync::mpsc;

use self::claim::PostgresClaim;
use self::gather::Append;
use self::room::{Done, JournalRoom, Known};
use self::row::Before;
use super::desk::Desk;
use super::error::{KIND, Trouble};
use super::open::{self, Missing};
use super::url::Options;
use crate::trouble::StoreTrouble;

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
    /// Has a step done about `what`, until it is answered.
    async fn ask<W, T, F>(
        &self,
        operation: &'static str,
        what: W,
        step: impl Fn(Arc<JournalRoom>, W) -> F,
    ) -> Result<T, JournalError>
    where
        W: Clone + Shown,
        T: Send + 'static,
        F: Future<Output = Done<T>> + Send + 'static,
    {
        until_answered(|| {
            self.ask_once(operation, &what, Box::pin(step(Arc::clone(&self.room), what.clone())))
        })
        .await
    }

    async fn ask_once<T: Send + 'static>(
        &self,
        operation: &'static str,
        what: &impl Shown,
        step: impl Future<Output = Done<T>> + Send + 'static,
    ) -> Result<T, JournalError> {
        self.desk.ask(step).await.unwrap_or_else(|trouble| Err(told(trouble, operation, what)))
    }
}

fn told(trouble: Trouble, operation: &'static str, what: &impl Shown) -> JournalError {
    match trouble {
        Trouble::Closed => JournalError::Closed,
        trouble if trouble.is_for_good() => {
            let said = trouble.to_string();
            StoreError::new(StoreErrorKind::Incompatible, KIND, operation, what.shown(), said).into()
        }
        trouble => trouble.on(operation, &what.shown()).into(),
    }
}

/// What a step is about, for messages.
trait Shown {
    fn shown(&self) -> String;
}

impl Shown for Place {
    fn shown(&self) -> String {
        format!("{} of shard {}", self.journal, self.shard)
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        self.clone()
    }
}

#[async_trait]
impl Journal for PostgresJournal {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        self.open_after(Ahead::new(place.clone(), Kept::default()), author).await
    }

    async fn ahead(&self, place: &Place) -> Result<Ahead, JournalError> {
        let read = |room: Arc<JournalRoom>, place: Place| async move { room.ahead(&place).await };
        Ok(Ahead::new(place.clone(), self.0.ask("read", place.clone(), read).await?))
    }

    async fn open_after(&self, ahead: Ahead, author: Author) -> Result<Opened, JournalError> {
        let snapshot = ahead.kept.snapshot.as_ref().map(|snapshot| snapshot.name);
        let known = Known { snapshot, start: ahead.kept.start(), next: ahead.next() };
        let open = move |room: Arc<JournalRoom>, place: Place| async move {
            room.open(&place, author, known, Clock::boot().wall_ms()).await
        };
        let found = self.0.ask("open", ahead.place.clone(), open).await?;
        let snapshot = match found.before {
            Before::Nothing => None,
            Before::Known => ahead.kept.snapshot.clone(),
            Before::Another(snapshot) => Some(snapshot),
        };
        let (shared, place, opened) = (Arc::clone(&self.0), ahead.place, found.fence);
        let kept = ahead.kept.followed_by(snapshot, found.entries);
        let claim = Box::new(PostgresClaim {
            shared,
            place,
            holder: Holder { author, opened },
            known: AtomicU64::new(opened.0),
        });
        Ok(Opened { next: opened.next(), kept, claim })
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        let read =
            move |room: Arc<JournalRoom>, place: Place| async move { room.read(&place, from, limit).await };
        self.0.ask("read", place.clone(), read).await
    }

    async fn read_of(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Keyed>, JournalError> {
        limits::check_key(key)?;
        let read = |room: Arc<JournalRoom>, place: Place| {
            let key = key.to_owned();
            async move { room.read_of(&place, &key, after, limit).await }
        };
        self.0.ask("read", place.clone(), read).await
    }

    async fn part(&self, place: &Place, key: &str) -> Result<Option<Part>, JournalError> {
        limits::check_key(key)?;
        let read = |room: Arc<JournalRoom>, place: Place| {
            let key = key.to_owned();
            async move { room.part(&place, &key).await }
        };
        self.0.ask("read", place.clone(), read).await
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
        let save = |room: Arc<JournalRoom>, place: Place| {
            let (key, part) = (key.to_owned(), part.clone());
            async move { room.save_part(&place, &key, &part).await }
        };
        self.0.ask("save", place.clone(), save).await
    }

    async fn places(&self, after: Option<&Place>, limit: usize) -> Result<Vec<Place>, JournalError> {
        let list = |room: Arc<JournalRoom>, _: String| {
            let after = after.cloned();
            async move { room.places(after.as_ref(), limit).await }
        };
        self.0.ask("list", "journals".to_owned(), list).await
    }

    async fn look(&self, place: &Place) -> Result<Option<Look>, JournalError> {
        let look = |room: Arc<JournalRoom>, place: Place| async move { room.look(&place).await };
        self.0.ask("look", place.clone(), look).await
    }

    async fn adopt(&self, place: &Place, lineage: Lineage) -> Result<Option<Lineage>, JournalError> {
        let at = Clock::boot().wall_ms();
        let adopt =
            move |room: Arc<JournalRoom>, place: Place| async move { room.adopt(&place, lineage, at).await };
        self.0.ask("adopt", place.clone(), adopt).await
    }
}

#[async_trait]
impl Depot for PostgresJournal {
    async fn keep(&self, name: &str, bytes: Bytes) -> Result<(), JournalError> {
        limits::check_blob(name, &bytes)?;
        let keep = |room: Arc<JournalRoom>, name: String| {
            let bytes = bytes.clone();
            async move { room.keep(&name, &bytes).await }
        };
        self.0.ask("keep", name.to_owned(), keep).await
    }

    async fn fetch(&self, name: &str) -> Result<Option<Bytes>, JournalError> {
        limits::check_blob_name(name)?;
        let fetch = |room: Arc<JournalRoom>, name: String| async move { room.fetch(&name).await };
        self.0.ask("fetch", name.to_owned(), fetch).await
    }

    async fn names(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, JournalError> {
        let list = |room: Arc<JournalRoom>, prefix: String| {
            let after = after.to_owned();
            async move { room.names(&prefix, &after, limit).await }
        };
        self.0.ask("list", prefix.to_owned(), list).await
    }

    async fn remove(&self, names: &[&str]) -> Result<(), JournalError> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let remove = |room: Arc<JournalRoom>, _: String| {
            let names = names.clone();
            async move { room.remove(&names).await }
        };
        self.0.ask("remove", names.join(", "), remove).await
    }
}
