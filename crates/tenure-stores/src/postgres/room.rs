//! The calls, as statements and what they bring back.
//!
//! They run at the desk, whoever asked: a caller that goes away leaves its call to be carried out to the end.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::{Either, select};
use tenure::store::{Entry, Read, Removed, Version, Versioned, When, Written};
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

use super::client::Line;
use super::error::Trouble;
use super::session::{Parameter, Session};
use super::statement::Statements;
use super::url::Options;
use super::version::mark;

/// What a statement brought, and over which connection.
#[derive(Debug)]
struct Answer {
    rows: Vec<Row>,
    session: Arc<Session>,
}

impl Answer {
    /// A session that turned out to be of no use is closed; the next call makes another.
    fn over(session: Arc<Session>, rows: Result<Vec<Row>, Trouble>) -> Result<Self, Trouble> {
        if rows.as_ref().is_err_and(Trouble::ends_session) {
            session.close();
        }
        rows.map(|rows| Self { rows, session })
    }
}

/// What a call needs wherever it runs.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) options: Arc<Options>,
    statements: Statements,
    pub(super) line: Arc<Line>,
}

impl Room {
    /// What calls over `line` need.
    pub(super) fn new(options: Arc<Options>, line: Arc<Line>) -> Self {
        Self { statements: Statements::on(&options.schema), options, line }
    }

    /// A statement that reads.
    async fn query(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Answer, Trouble> {
        let session = self.line.session().await?;
        let rows = session.ask(&self.options, sql, parameters).await;
        Answer::over(session, rows)
    }

    /// A statement that writes, and right behind it one that tells the others. Nobody waits for that, and nothing rests on it.
    async fn change(
        &self,
        session: Arc<Session>,
        sql: &str,
        parameters: &[Parameter<'_>],
        told: impl Future<Output = ()> + Send + 'static,
    ) -> Result<Answer, Trouble> {
        let written = session.change(&self.options, sql, parameters);
        // Both are sent when they are first looked at, in this order.
        let rows = match select(pin!(written), Box::pin(told)).await {
            Either::Left((rows, told)) => {
                tokio::spawn(told);
                rows
            }
            Either::Right(((), written)) => written.await,
        };
        Answer::over(session, rows)
    }

    /// Tells the others by `sql` that `key` changed; of a write also its mark is known.
    fn tell(
        self: &Arc<Self>,
        session: &Arc<Session>,
        sql: fn(&Statements) -> &str,
        key: &str,
        mark: Option<&str>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (room, session) = (Arc::clone(self), Arc::clone(session));
        let (key, mark) = (key.to_owned(), mark.map(str::to_owned));
        async move {
            let channel = room.options.schema.channel();
            let mut parameters: Vec<Parameter<'_>> = vec![(&channel, Type::TEXT), (&key, Type::TEXT)];
            parameters.extend(mark.as_ref().map(|mark| -> Parameter<'_> { (mark, Type::TEXT) }));
            if let Err(trouble) = session.ask(&room.options, sql(&room.statements), &parameters).await {
                tracing::debug!(error = %trouble, "a change was told to nobody");
            }
        }
    }

    fn column<'a, T: FromSql<'a>>(&self, row: &'a Row, index: usize) -> Result<T, Trouble> {
        row.try_get(index).map_err(|error| Trouble::in_call(error, &self.options))
    }

    fn version(&self, answer: &Answer, row: &Row, index: usize) -> Result<Version, Trouble> {
        let version = Version::new(self.column::<&str>(row, index)?);
        self.line.saw(&version, &answer.session);
        Ok(version)
    }

    /// A read; `unless` is still there: no content is brought.
    pub(super) async fn get(&self, key: &str, unless: Option<Version>) -> Result<Read, Trouble> {
        let known = unless.as_ref().map(Version::as_str);
        let answer = self.query(&self.statements.get, &[(&key, Type::TEXT), (&known, Type::TEXT)]).await?;
        let Some(row) = answer.rows.first() else { return Ok(Read::Absent) };
        let version = self.version(&answer, row, 0)?;
        Ok(match self.column::<Option<&[u8]>>(row, 1)? {
            None => Read::Unchanged,
            Some(value) => Read::Found(Versioned { version, value: Bytes::copy_from_slice(value) }),
        })
    }

    /// A conditional write.
    pub(super) async fn put(
        self: &Arc<Self>,
        key: &str,
        value: Bytes,
        when: When,
    ) -> Result<Written, Trouble> {
        let (value, session, mark) = (&value[..], self.line.session().await?, mark()?);
        let end = format!("{}-{mark}", session.system);
        let told = self.tell(&session, |statements| &statements.tell_write, key, Some(&mark));
        let [key, value, end]: [Parameter<'_>; 3] =
            [(&key, Type::TEXT), (&value, Type::BYTEA), (&end, Type::TEXT)];
        let answer = match &when {
            When::Absent => self.change(session, &self.statements.create, &[key, value, end], told).await?,
            When::Is(version) => {
                let version: Parameter<'_> = (&version.as_str(), Type::TEXT);
                self.change(session, &self.statements.replace, &[key, value, end, version], told).await?
            }
        };
        let Some(row) = answer.rows.first() else { return Ok(Written::Conflict) };
        Ok(Written::Stored(self.version(&answer, row, 0)?))
    }

    /// A conditional removal.
    pub(super) async fn remove(self: &Arc<Self>, key: &str, version: Version) -> Result<Removed, Trouble> {
        let (version, session) = (version.as_str(), self.line.session().await?);
        let told = self.tell(&session, |statements| &statements.tell_removal, key, None);
        let parameters: [Parameter<'_>; 2] = [(&key, Type::TEXT), (&version, Type::TEXT)];
        let answer = self.change(session, &self.statements.remove, &parameters, told).await?;
        Ok(if answer.rows.is_empty() { Removed::Conflict } else { Removed::Deleted })
    }

    /// All records under a prefix, in the order of keys.
    pub(super) async fn list(&self, prefix: &str) -> Result<Vec<Entry>, Trouble> {
        let answer = self.query(&self.statements.list, &[(&prefix, Type::TEXT)]).await?;
        answer.rows.iter().map(|row| self.entry(&answer, row)).collect()
    }

    fn entry(&self, answer: &Answer, row: &Row) -> Result<Entry, Trouble> {
        let value = Bytes::copy_from_slice(self.column::<&[u8]>(row, 2)?);
        let record = Versioned { version: self.version(answer, row, 1)?, value };
        Ok(Entry { key: self.column::<&str>(row, 0)?.into(), record })
    }
}
