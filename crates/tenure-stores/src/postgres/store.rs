//! The handle that members use.

use std::future::Future;
use std::sync::{Arc, Once};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure::store::{
    Entry, Hint, Operation, Read, Removed, Store, StoreError, Version, Versioned, When, Written,
};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

use super::desk::Desk;
use super::fault::{KIND, Trouble};
use super::hint;
use super::line::Line;
use super::open::{self, Missing};
use super::session::Parameter;
use super::statement::Statements;
use super::url::Options;

/// A watcher that is further behind than this is told "something changed" instead of what.
const HINTS_KEPT: usize = 1024;

/// A store in a schema of a PostgreSQL database. Clones share the connections.
#[derive(Clone, Debug)]
pub struct PostgresStore(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    desk: Desk,
    room: Arc<Room>,
    hints: broadcast::Sender<Hint>,
    /// The second connection is made when somebody watches: those who only look need none.
    listening: Once,
}

/// What a call needs wherever it runs.
#[derive(Debug)]
struct Room {
    options: Arc<Options>,
    statements: Statements,
    line: Arc<Line>,
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
        let statements = Statements::on(&options.schema);
        let line = Arc::new(Line::new(Arc::clone(&options), hints.clone()));
        let room = Arc::new(Room { options, statements, line });
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
        answer.map_err(|trouble| trouble.in_operation(operation, key))
    }

    fn listen(&self) {
        let shared = &self.0;
        let (room, hints) = (&shared.room, shared.hints.clone());
        let (options, line) = (Arc::clone(&room.options), Arc::clone(&room.line));
        shared.listening.call_once(|| shared.desk.keep(hint::listen(options, line, hints)));
    }
}

impl Room {
    async fn query(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Trouble> {
        let session = self.line.session().await?;
        let answer = session.ask(&self.options, sql, parameters).await;
        if answer.as_ref().is_err_and(Trouble::ends_session) {
            Line::retire(&session);
        }
        answer
    }

    fn column<'a, T: FromSql<'a>>(&self, row: &'a Row, index: usize) -> Result<T, Trouble> {
        row.try_get(index).map_err(|error| Trouble::in_call(error, &self.options))
    }

    fn version(&self, row: &Row, index: usize) -> Result<Version, Trouble> {
        let version = Version::new(self.column::<&str>(row, index)?);
        self.line.saw(&version);
        Ok(version)
    }

    async fn get(&self, key: &str, unless: Option<Version>) -> Result<Read, Trouble> {
        let known = unless.as_ref().map(Version::as_str);
        let rows = self.query(&self.statements.get, &[(&key, Type::TEXT), (&known, Type::TEXT)]).await?;
        let Some(row) = rows.first() else { return Ok(Read::Absent) };
        let version = self.version(row, 0)?;
        Ok(match self.column::<Option<&[u8]>>(row, 1)? {
            None => Read::Unchanged,
            Some(value) => Read::Found(Versioned { version, value: Bytes::copy_from_slice(value) }),
        })
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, Trouble> {
        let value = &value[..];
        let rows = match &when {
            When::Absent => {
                self.query(&self.statements.create, &[(&key, Type::TEXT), (&value, Type::BYTEA)]).await?
            }
            When::Is(version) => {
                let version = version.as_str();
                let parameters: [Parameter<'_>; 3] =
                    [(&key, Type::TEXT), (&value, Type::BYTEA), (&version, Type::TEXT)];
                self.query(&self.statements.replace, &parameters).await?
            }
        };
        Ok(match rows.first() {
            Some(row) => Written::Stored(self.version(row, 0)?),
            None => Written::Conflict,
        })
    }

    async fn remove(&self, key: &str, version: Version) -> Result<Removed, Trouble> {
        let version = version.as_str();
        let rows = self.query(&self.statements.remove, &[(&key, Type::TEXT), (&version, Type::TEXT)]).await?;
        Ok(if rows.is_empty() { Removed::Conflict } else { Removed::Deleted })
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, Trouble> {
        let rows = self.query(&self.statements.list, &[(&prefix, Type::TEXT)]).await?;
        rows.iter().map(|row| self.entry(row)).collect()
    }

    fn entry(&self, row: &Row) -> Result<Entry, Trouble> {
        let value = Bytes::copy_from_slice(self.column::<&[u8]>(row, 2)?);
        let record = Versioned { version: self.version(row, 1)?, value };
        Ok(Entry { key: self.column::<&str>(row, 0)?.into(), record })
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
