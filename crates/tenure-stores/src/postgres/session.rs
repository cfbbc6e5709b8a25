//! One connection: made, set up, asked.
//!
//! The client library queues requests to the task that drives the connection, so callers may go at any time: what they sent
//! is answered to nobody. What nothing answers within [`ANSWER_MAX`] ends the whole session, since everything behind it would
//! wait for ever too; the server ends such a statement by itself at about the same time.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tenure::clock::Clock;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Connection, Row, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::fault::Trouble;
use super::standing::{Problem, Standing};
use super::url::{Options, Server};

/// How long a server may take from the first packet until it can be asked, unless the address has a `connect_timeout`.
const CONNECT_MAX: Duration = Duration::from_secs(3);

/// How long one statement may take. With a dead server behind it, a member that renews a lease of ten seconds still has the time
/// to find another one.
const ANSWER_MAX: Duration = Duration::from_secs(2);

/// Names are looked up where nobody else can put any; no statement of ours outlives its caller's patience by much; and what is
/// acknowledged is on disk, and on the synchronous standbys if there are any.
const SET_UP: &str = "SET search_path = pg_catalog; SET statement_timeout = '2s'; SET lock_timeout = '1s'; \
    SET default_transaction_isolation = 'read committed'; \
    SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";

/// A parameter of a statement.
pub(super) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

type Wire = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// A connection to a primary. Dropping it closes the connection.
#[derive(Debug)]
pub(super) struct Session {
    client: Client,
    driver: AbortHandle,
    /// Set before the driver is told to end, which takes a moment: nothing is sent in that moment.
    closed: AtomicBool,
    patience: Duration,
    /// Which server it is, for messages.
    pub(super) server: String,
}

impl Session {
    /// Connects to `server`, and says who it is. What it announces goes to `news`.
    pub(super) async fn connect(
        options: &Options,
        server: &Server,
        news: Option<mpsc::UnboundedSender<String>>,
    ) -> Result<(Self, Standing), Trouble> {
        let config = options.config_for(server);
        let limit = config.get_connect_timeout().copied().unwrap_or(CONNECT_MAX);
        let named = server.to_string();
        let tls = options.trust.connector().map_err(Trouble::TlsOptions)?;
        let work = async {
            let made = config.connect(tls).await;
            let (client, wire) = made.map_err(|error| Trouble::in_connect(error, &named, options))?;
            let session = Self::over(client, wire, named.clone(), news);
            let standing = session.set_up(options).await?;
            Ok((session, standing))
        };
        match Clock::boot().timeout(limit, Box::pin(work)).await {
            Ok(connected) => connected,
            Err(_) => Err(Trouble::Silent { server: named, limit }),
        }
    }

    fn over(client: Client, wire: Wire, server: String, news: Option<mpsc::UnboundedSender<String>>) -> Self {
        let driver = tokio::spawn(drive(wire, news)).abort_handle();
        Self { client, driver, closed: AtomicBool::new(false), patience: ANSWER_MAX, server }
    }

    /// The same with another limit for each statement.
    pub(super) fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    async fn set_up(&self, options: &Options) -> Result<Standing, Trouble> {
        let told = async {
            self.client.batch_execute(SET_UP).await?;
            Standing::ask(&self.client, &self.server).await
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

/// Until the connection ends. Its errors reach those who wait for answers.
async fn drive(mut wire: Wire, news: Option<mpsc::UnboundedSender<String>>) {
    while let Some(Ok(message)) = poll_fn(|cx| wire.poll_message(cx)).await {
        match (message, &news) {
            // Nobody listening any more is no failure: the session is about to be closed.
            (AsyncMessage::Notification(told), Some(news)) => drop(news.send(told.payload().to_owned())),
            (AsyncMessage::Notice(notice), _) => tracing::debug!(%notice, "the server says"),
            _ => {}
        }
    }
}
