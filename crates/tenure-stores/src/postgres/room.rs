//! The calls, as statements and what they bring back.
//!
//! They run at the desk, whoever asked: a caller that goes away leaves its call to be carried out to the end.

use std::sync::Arc;

use bytes::Bytes;
use tenure::store::{Entry, Read, Removed, Version, Versioned, When, Written};
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

use super::fault::Trouble;
use super::line::Line;
use super::news;
use super::session::Parameter;
use super::statement::{Statements, TELL};
use super::url::Options;

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

    async fn query(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Trouble> {
        let session = self.line.session().await?;
        let answer = session.ask(&self.options, sql, parameters).await;
        if answer.as_ref().is_err_and(Trouble::ends_session) {
            Line::retire(&session);
        }
        answer
    }

    /// Tells the others what changed. Nobody waits for it, and nothing rests on it.
    fn tell(self: &Arc<Self>, news: String) {
        let room = Arc::clone(self);
        tokio::spawn(async move {
            let channel = room.options.schema.channel();
            let told = room.query(TELL, &[(&channel, Type::TEXT), (&news, Type::TEXT)]).await;
            if let Err(trouble) = told {
                tracing::debug!(error = %trouble, "a change was told to nobody");
            }
        });
    }

    fn column<'a, T: FromSql<'a>>(&self, row: &'a Row, index: usize) -> Result<T, Trouble> {
        row.try_get(index).map_err(|error| Trouble::in_call(error, &self.options))
    }

    fn version(&self, row: &Row, index: usize) -> Result<Version, Trouble> {
        let version = Version::new(self.column::<&str>(row, index)?);
        self.line.saw(&version);
        Ok(version)
    }

    /// A read; `unless` is still there: no content is brought.
    pub(super) async fn get(&self, key: &str, unless: Option<Version>) -> Result<Read, Trouble> {
        let known = unless.as_ref().map(Version::as_str);
        let rows = self.query(&self.statements.get, &[(&key, Type::TEXT), (&known, Type::TEXT)]).await?;
        let Some(row) = rows.first() else { return Ok(Read::Absent) };
        let version = self.version(row, 0)?;
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
        let Some(row) = rows.first() else { return Ok(Written::Conflict) };
        let version = self.version(row, 0)?;
        self.tell(news::of_write(key, &version, value));
        Ok(Written::Stored(version))
    }

    /// A conditional removal.
    pub(super) async fn remove(self: &Arc<Self>, key: &str, version: Version) -> Result<Removed, Trouble> {
        let version = version.as_str();
        let rows = self.query(&self.statements.remove, &[(&key, Type::TEXT), (&version, Type::TEXT)]).await?;
        if rows.is_empty() {
            return Ok(Removed::Conflict);
        }
        self.tell(key.to_owned());
        Ok(Removed::Deleted)
    }

    /// All records under a prefix, in the order of keys.
    pub(super) async fn list(&self, prefix: &str) -> Result<Vec<Entry>, Trouble> {
        let rows = self.query(&self.statements.list, &[(&prefix, Type::TEXT)]).await?;
        rows.iter().map(|row| self.entry(row)).collect()
    }

    fn entry(&self, row: &Row) -> Result<Entry, Trouble> {
        let value = Bytes::copy_from_slice(self.column::<&[u8]>(row, 2)?);
        let record = Versioned { version: self.version(row, 1)?, value };
        Ok(Entry { key: self.column::<&str>(row, 0)?.into(), record })
    }
}
