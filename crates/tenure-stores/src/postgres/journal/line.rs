//! A connection for one kind of journal's work, which is made anew when it is lost.

use std::sync::Arc;

use tenure::journal::Place;
use tokio::sync::broadcast;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use crate::postgres::client::PrimaryConnection;
use crate::postgres::duty::Duty;
use crate::postgres::error::Trouble;
use crate::postgres::session::{Parameter, Session};
use crate::postgres::url::Options;
use crate::postgres::version::Position;

/// The way to the primary, for one duty.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) options: Arc<Options>,
    pub(super) connection: Arc<PrimaryConnection>,
}

impl Line {
    /// A line that is not connected yet.
    pub(super) fn new(options: &Options, duty: &'static Duty) -> Self {
        let options = Arc::new(options.on_duty(duty));
        // It listens to nobody.
        let connection = PrimaryConnection::new(Arc::clone(&options), broadcast::Sender::new(1));
        Self { options, connection: Arc::new(connection) }
    }

    /// A statement that reads.
    pub(super) async fn ask(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Trouble> {
        let session = self.connection.session().await?;
        let rows = session.ask(&self.options, sql, parameters).await;
        left(&session, rows)
    }

    /// A statement that writes. What it may bring as the second column is a position in the log, beyond which it was committed.
    pub(super) async fn change(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Trouble> {
        let session = self.connection.session().await?;
        let rows = left(&session, session.change(&self.options, sql, parameters).await)?;
        if let Some(Ok(position)) = rows.first().map(|row| row.try_get::<_, &str>(1)) {
            Position::parse(position).into_iter().for_each(|position| self.connection.saw_past(position));
        }
        Ok(rows)
    }

    /// What an answer that can't be read means.
    pub(super) fn read<T>(&self, read: Result<T, tokio_postgres::Error>) -> Result<T, Trouble> {
        read.map_err(|error| Trouble::in_call(error, &self.options))
    }
}

/// A session that turned out to be of no use is closed; the next call makes another.
fn left(session: &Session, rows: Result<Vec<Row>, Trouble>) -> Result<Vec<Row>, Trouble> {
    if rows.as_ref().is_err_and(Trouble::ends_session) {
        session.close();
    }
    rows
}

/// A place, as two parameters.
#[derive(Debug)]
pub(super) struct PlaceKey {
    journal: String,
    shard: i64,
}

impl PlaceKey {
    pub(super) fn of(place: &Place) -> Self {
        Self { journal: place.journal.to_string(), shard: place.shard.0.into() }
    }

    /// The place's parameters, and others behind them.
    pub(super) fn with<'a>(&'a self, others: &[Parameter<'a>]) -> Vec<Parameter<'a>> {
        let place: [Parameter<'a>; 2] = [(&self.journal, Type::TEXT), (&self.shard, Type::INT8)];
        place.into_iter().chain(others.iter().cloned()).collect()
    }
}
