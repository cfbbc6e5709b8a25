//! One connection: made, set up, asked.
//!
//! The client library queues requests to the task that drives the connection, so callers may go at any time: what they sent
//! is answered to nobody. What nothing answers within the patience of its duty ends the whole session, since everything behind it would
//! wait for ever too; the server ends such a statement by itself at about the same time.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::{Either, select};
use tenure::clock::Clock;
use tenure::store::Hint;
use tokio::sync::{broadcast, watch};
use tokio::task::AbortHandle;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::error::Trouble;
use super::standing::{Problem, Standing};
use super::url::{Options, Server};
use super::wire::{self, Signs, Wire};

/// How long a server may take from the first packet until it can be asked, unless the address has a `connect_timeout`.
const CONNECT_MAX: Duration = Duration::from_secs(3);

/// Names are looked up where nobody else can put any; no statement of ours outlives its caller's patience by much; and what is
/// acknowledged is on disk, and on the synchronous standbys if there are any.
const SET_UP: &str = "SET search_path = pg_catalog; SET lock_timeout = '1s'; \
    SET default_transaction_isolation = 'read committed'; \
    SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";

/// A parameter of a statement.
pub(super) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// What happened to a connection that was left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disturbance {
    /// It has ended.
    Ended,
    /// Somebody notifies more than can be listened to.
    Flooded,
}

/// A connection to a primary. Dropping it closes the connection.
#[derive(Debug)]
pub(super) struct Session {
    client: Client,
    driver: AbortHandle,
    /// Set before the driver is told to end, which takes a moment: nothing is sent in that moment.
    closed: AtomicBool,
    patience: Duration,
    signs: Arc<Signs>,
    /// Closes when the connection has ended.
    ended: watch::Receiver<()>,
    /// Which server it is, for messages.
    pub(super) server: String,
    /// Which cluster it belongs to, by its system identifier.
    pub(super) system: String,
}

impl Session {
    /// Connects to `server`, and says who it is. What is told to it, once it listens, goes to `hints`.
    pub(super) async fn connect(
        options: &Options,
        server: &Server,
        hints: broadcast::Sender<Hint>,
    ) -> Result<(Self, Standing), Trouble> {
        let config = options.config_for(server);
        let limit = config.get_connect_timeout().copied().unwrap_or(CONNECT_MAX);
        let named = server.to_string();
        let tls = options.trust.connector().map_err(Trouble::TlsOptions)?;
        let work = async {
            let made = config.connect(tls).await;
            let (client, wire) = made.map_err(|error| Trouble::in_connect(error, &named, options))?;
            let session = Self::over(client, wire, named.clone(), hints);
            let mut session = session.with_patience(options.duty.patience);
            let standing = session.set_up(options).await?;
            session.system.clone_from(&standing.system);
            Ok((session, standing))
        };
        match Clock::boot().timeout(limit, Box::pin(work)).await {
            Ok(connected) => connected,
            Err(_) => Err(Trouble::Silent { server: named, limit }),
        }
    }

    fn over(client: Client, wire: Wire, server: String, hints: broadcast::Sender<Hint>) -> Self {
        let (signs, (lives, ended)) = (Arc::new(Signs::default()), watch::channel(()));
        let driver = tokio::spawn(wire::drive(wire, hints, Arc::clone(&signs), lives)).abort_handle();
        let (closed, system) = (AtomicBool::new(false), String::new());
        Self { client, driver, closed, patience: CONNECT_MAX, signs, ended, server, system }
    }

    /// The same with another limit for each statement.
    pub(super) fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    async fn set_up(&self, options: &Options) -> Result<Standing, Trouble> {
        let told = async {
            let limit = format!("SET statement_timeout = {}; {SET_UP}", self.patience.as_millis());
            self.client.batch_execute(&limit).await?;
            Standing::ask(&self.client, &self.server, options.duty.must_sync).await
        };
        told.await.map_err(|problem| match problem {
            Problem::Trouble(trouble) => trouble,
            Problem::Error(error) => Trouble::in_introduction(error, &self.server, options),
        })
    }

    /// Whether the connection is gone: nothing can be sent over it.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire) || self.client.is_closed()
    }

    /// Closes the connection; whoever waits for an answer gets none.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.driver.abort();
    }

    /// Completes when the connection has ended, or is flooded by notifications.
    pub(super) async fn disturbed(&self) -> Disturbance {
        let mut ended = self.ended.clone();
        // Nothing is ever sent: this fails when the other side is dropped.
        // Looked at first: a connection that a flood has ended was flooded.
        match select(pin!(self.signs.flooded()), pin!(ended.changed())).await {
            Either::Left(_) => Disturbance::Flooded,
            Either::Right(_) => Disturbance::Ended,
        }
    }

    /// Listens to notifications from now on.
    pub(super) async fn listen(&self, options: &Options) -> Result<(), Trouble> {
        self.signs.forget_flood();
        self.run(options, &format!("LISTEN \"{}\"", options.schema.channel())).await
    }

    /// Listens to nobody any more.
    pub(super) async fn listen_no_more(&self, options: &Options) -> Result<(), Trouble> {
        self.run(options, "UNLISTEN *").await
    }

    /// Whether the server said anything since this was last asked.
    pub(super) fn spoke_of_late(&self) -> bool {
        self.signs.take_speech()
    }

    /// One statement that writes, one transaction. A commit that stopped waiting for its standbys is answered like any other, but
    /// for a warning before.
    pub(super) async fn change(
        &self,
        options: &Options,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Trouble> {
        let before = self.signs.warnings();
        let rows = self.ask(options, sql, parameters).await?;
        if self.signs.warnings() == before { Ok(rows) } else { Err(Trouble::Unreplicated) }
    }

    /// One statement, one transaction.
    pub(super) async fn ask(
        &self,
        options: &Options,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Trouble> {
        self.within_patience(options, self.client.query_typed(sql, parameters)).await
    }

    /// Several statements without parameters.
    pub(super) async fn run(&self, options: &Options, sql: &str) -> Result<(), Trouble> {
        self.within_patience(options, self.client.batch_execute(sql)).await
    }

    async fn within_patience<T>(
        &self,
        options: &Options,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Trouble> {
        match Clock::boot().timeout(self.patience, statement).await {
            Ok(answered) => answered.map_err(|error| Trouble::in_call(error, options)),
            Err(_) => Err(Trouble::Unanswered(self.patience)),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close();
    }
}
