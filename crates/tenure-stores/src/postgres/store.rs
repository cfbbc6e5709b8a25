//! The handle that members use.

use std::future::Future;
use std::sync::{Arc, Once};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure::store::{Entry, Hint, Operation, Read, Removed, Store, StoreError, Version, When, Written};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::client::Line;
use super::desk::Desk;
use super::error::{KIND, Trouble};
use super::open::{self, Missing};
use super::room::Room;
use super::url::Options;
use super::watch;
use crate::trouble::StoreTrouble;

/// A watcher that is further behind than this is told "something changed" instead of what.
const HINTS_KEPT: usize = 1024;

/// A store in a schema of a PostgreSQL database. Clones share the connection.
#[derive(Clone, Debug)]
pub struct PostgresStore(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    desk: Desk,
    room: Arc<Room>,
    hints: broadcast::Sender<Hint>,
    /// It listens when somebody watches: those who only look need no hints.
    listening: Once,
}

impl PostgresStore {
    /// Opens the store that an address such as `postgres://user:password@host/database` names, and lays its schema out if it
    /// is not there.
    ///
    /// # Errors
    /// Says what is wrong with the address, the server or the user's rights, and what to do about it.
    pub async fn open_url(address: &str) -> Result<Self, StoreError> {
        Self::open(address, Missing::Create).await
    }

    /// Opens the store that an address names, and creates nothing: for those who only look.
    ///
    /// # Errors
    /// As [`Self::open_url`], and if there is no schema.
    pub async fn open_existing_url(address: &str) -> Result<Self, StoreError> {
        Self::open(address, Missing::Refuse).await
    }

    async fn open(address: &str, missing: Missing) -> Result<Self, StoreError> {
        let options = Arc::new(Options::parse(address)?);
        let store =
            Self::around(Arc::clone(&options)).map_err(|trouble| trouble.on("open", &options.shown))?;
        let line = Arc::clone(&store.0.room.line);
        let opened = store.0.desk.ask(open::open(line, Arc::clone(&options), missing)).await;
        opened.map_err(|trouble| trouble.on("open", &options.shown))?;
        Ok(store)
    }

    fn around(options: Arc<Options>) -> Result<Self, Trouble> {
        let hints = broadcast::Sender::new(HINTS_KEPT);
        let line = Arc::new(Line::new(Arc::clone(&options), hints.clone()));
        let room = Arc::new(Room::new(options, line));
        Ok(Self(Arc::new(Shared { desk: Desk::start()?, room, hints, listening: Once::new() })))
    }

    async fn ask<T, F>(
        &self,
        operation: Operation,
        key: &str,
        work: impl FnOnce(Arc<Room>, String) -> F,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Trouble>> + Send + 'static,
    {
        let answer = self.0.desk.ask(work(Arc::clone(&self.0.room), key.to_owned())).await;
        answer.map_err(|trouble| trouble.in_call(operation, key))
    }

    fn listen(&self) {
        let shared = &self.0;
        let (room, hints) = (&shared.room, shared.hints.clone());
        let (options, line) = (Arc::clone(&room.options), Arc::clone(&room.line));
        shared.listening.call_once(|| shared.desk.keep(watch::listen(options, line, hints)));
    }
}

#[async_trait]
impl Store for PostgresStore {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        let unless = unless.cloned();
        self.ask(Operation::Get, key, |room, key| async move { room.get(&key, unless).await }).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        self.ask(Operation::Put, key, |room, key| async move { room.put(&key, value, when).await }).await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let version = version.clone();
        self.ask(Operation::Delete, key, |room, key| async move { room.remove(&key, version).await }).await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.ask(Operation::List, prefix, |room, prefix| async move { room.list(&prefix).await }).await
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        let prefix = prefix.to_owned();
        let hints = stream::unfold(self.0.hints.subscribe(), next_hint);
        // Subscribed first: the listener's first hint says that it listens.
        self.listen();
        let concerns = move |hint: &Hint| hint.key.as_ref().is_none_or(|key| key.starts_with(&prefix));
        // The hints end with the last handle; what was watched is closed then, and nothing more is to be said.
        hints.filter(move |hint| std::future::ready(concerns(hint))).chain(stream::pending()).boxed()
    }
}

async fn next_hint(mut hints: broadcast::Receiver<Hint>) -> Option<(Hint, broadcast::Receiver<Hint>)> {
    match hints.recv().await {
        Ok(hint) => Some((hint, hints)),
        Err(RecvError::Lagged(_)) => Some((Hint::anything(), hints)),
        Err(RecvError::Closed) => None,
    }
}
