//! What can go wrong with a PostgreSQL server, and what its user does about it.
//!
//! The rule: a write did not happen if it was never sent, or if the server took it back by one of the errors listed here, which
//! PostgreSQL raises before a transaction commits. All else is unknown: errors that end the session can strike between the commit
//! and its answer, and whatever stands in between, such as a pool, makes up errors of its own.

use std::sync::Arc;
use std::time::Duration;

use tenure::store::{Operation, StoreErrorKind};
use tokio_postgres::error::{DbError, Severity, SqlState};

use super::url::Options;
use super::version::Position;
use crate::trouble::{self, StoreTrouble};

/// The name of this kind of store.
pub(super) const KIND: &str = "postgres";

/// The client library's error, shared by all callers that it concerns.
pub(super) type Cause = Arc<tokio_postgres::Error>;

/// Why a call brought no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("{server} can't be reached; check that it runs and that this machine may connect to it")]
    Unreachable { server: String, cause: Cause },
    #[error("{server} did not let us in within {limit:?}; check the network, or raise connect_timeout")]
    Silent { server: String, limit: Duration },
    #[error("{server}: the encrypted connection failed; check sslmode, sslrootcert and the host's name")]
    Tls { server: String, cause: Cause },
    #[error("the options of TLS can't be used: {0}")]
    TlsOptions(String),
    #[error("{server} refused the password of user {user:?}; correct it in the address or in PGPASSWORD")]
    WrongPassword { server: String, user: String, cause: Cause },
    #[error(
        "{server} does not let user {user:?} in; give it a password, a role that may log in, and a line in pg_hba.conf"
    )]
    NotLetIn { server: String, user: String, cause: Cause },
    #[error("{server} has no database {database:?}; create it, or name another one")]
    NoDatabase { server: String, database: String, cause: Cause },
    #[error("{server} has no connection left; raise its max_connections, or let fewer processes connect")]
    Crowded { server: String, cause: Cause },
    #[error("{server} is starting or shutting down; wait for it")]
    NotReady { server: String, cause: Cause },
    #[error("{server} is a standby; name the primary, or all servers: postgres://USER@HOST1,HOST2/DATABASE")]
    Standby { server: String },
    #[error(
        "{server} can only be read: default_transaction_read_only is on; switch it off for this user and database"
    )]
    ReadOnly { server: String },
    #[error(
        "{server} runs with fsync=off: what it acknowledges may not be on its disk; switch it on, and restart the server"
    )]
    Unsynced { server: String },
    #[error("{server} is PostgreSQL {version}; version 13 or later is needed")]
    TooOld { server: String, version: String },
    #[error(
        "{server} is another server than before (system identifier {now}, not {before}); check the address, and restart this process if that is right"
    )]
    Another { server: String, before: String, now: String },
    #[error(
        "{server} is a former primary (timeline {now}, and {before} was seen); stop it or make it a standby"
    )]
    Former { server: String, before: u32, now: u32 },
    #[error(
        "{server} lost acknowledged writes: its history ends at {end}, and a write after {seen} was seen; stop all members, wait for a lease, start them again, and read docs/guide/stores.md on fail-over"
    )]
    Lost { server: String, seen: Position, end: Position },
    #[error("{first} and {second} are primaries of two different clusters; name the servers of one")]
    TwoClusters { first: String, second: String },
    #[error("none of the servers can be used: {}", list(.0))]
    NoneOf(Vec<Self>),
    #[error(
        "there is no schema {schema:?} in the database {database:?}; start a member once, or name another by ?schema="
    )]
    NoSchema { schema: String, database: String },
    #[error("its layout is {found}, and this build knows {known}; upgrade this program")]
    Newer { found: i32, known: i32 },
    #[error(
        "its layout is {found}, and this build needs {known}; start a member as the schema's owner to bring it up to date"
    )]
    Older { found: i32, known: i32 },
    #[error("the schema {schema:?} holds tables of another program; name another one by ?schema=")]
    Foreign { schema: String, cause: Cause },
    #[error("user {user:?} may not do this; as the owner: {grants}")]
    NotAllowed { user: String, grants: String, cause: Cause },
    #[error("the server's disk is full; free some space")]
    Full { cause: Cause },
    #[error(
        "another transaction held the record for too long; try again, and look at pg_stat_activity for one that hangs"
    )]
    Busy { cause: Cause },
    #[error("the server refused: {message}")]
    Refused { message: String, cause: Cause },
    #[error("the connection broke before the answer came{}", said(.cause))]
    Broken { cause: Cause },
    #[error(
        "it is on the primary, and not known to be replicated: the wait for a synchronous standby was cancelled; check that the standbys of synchronous_standby_names follow"
    )]
    Unreplicated,
    #[error("no answer within {0:?}; the connection was given up")]
    Unanswered(Duration),
    #[error("the answer could not be read; is another version of this program at work?")]
    Unreadable { cause: Cause },
    #[error("the store's thread has ended; open the store again, and report this as a bug")]
    Closed,
    #[error("the store's thread can't be started; raise the limit of threads")]
    NoThread,
    #[error("the system gives no random numbers; check /dev/urandom")]
    NoChance,
}

/// The server's own words, if there are any.
fn said(cause: &Cause) -> String {
    cause.as_db_error().map(|answer| format!(" ({})", answer.message())).unwrap_or_default()
}

fn list(troubles: &[Trouble]) -> String {
    troubles.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Trouble {
    /// What a failed connection means.
    pub(super) fn in_connect(error: tokio_postgres::Error, server: &str, options: &Options) -> Self {
        let (server, user) = (server.to_owned(), options.user().to_owned());
        let cause = Arc::new(error);
        match cause.code() {
            Some(&SqlState::INVALID_PASSWORD) => Self::WrongPassword { server, user, cause },
            Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => Self::NotLetIn { server, user, cause },
            Some(&SqlState::INVALID_CATALOG_NAME) => {
                Self::NoDatabase { server, database: options.database().into(), cause }
            }
            Some(&SqlState::TOO_MANY_CONNECTIONS) => Self::Crowded { server, cause },
            Some(&SqlState::CANNOT_CONNECT_NOW) => Self::NotReady { server, cause },
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                let grants = format!("GRANT CONNECT ON DATABASE \"{}\" TO \"{user}\"", options.database());
                Self::NotAllowed { user, grants, cause }
            }
            Some(_) | None => Self::without_code(server, user, cause),
        }
    }

    /// What it means that a server that let us in does not say who it is.
    pub(super) fn in_introduction(error: tokio_postgres::Error, server: &str, options: &Options) -> Self {
        let user = options.user().to_owned();
        if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
            let grants = format!("GRANT EXECUTE ON FUNCTION pg_control_system() TO \"{user}\"");
            return Self::NotAllowed { user, grants, cause: Arc::new(error) };
        }
        Self::in_connect(error, server, options)
    }

    /// The library tells these apart in words alone.
    fn without_code(server: String, user: String, cause: Cause) -> Self {
        match cause.to_string().as_str() {
            "error performing TLS handshake" => Self::Tls { server, cause },
            "authentication error" | "invalid configuration" => Self::NotLetIn { server, user, cause },
            _ => Self::Unreachable { server, cause },
        }
    }

    /// What a failed statement means.
    pub(super) fn in_call(error: tokio_postgres::Error, options: &Options) -> Self {
        let cause = Arc::new(error);
        let Some(answer) = cause.as_db_error() else { return Self::without_answer(cause) };
        if !took_it_back(answer) {
            return Self::Broken { cause };
        }
        let message = answer.message().to_owned();
        match answer.code() {
            &SqlState::INSUFFICIENT_PRIVILEGE => {
                Self::NotAllowed { user: options.user().into(), grants: options.grants(), cause }
            }
            &SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME => Self::no_schema(options),
            &SqlState::READ_ONLY_SQL_TRANSACTION => Self::Standby { server: "the server".into() },
            &SqlState::DISK_FULL => Self::Full { cause },
            &SqlState::LOCK_NOT_AVAILABLE | &SqlState::QUERY_CANCELED | &SqlState::T_R_DEADLOCK_DETECTED => {
                Self::Busy { cause }
            }
            _ => Self::Refused { message, cause },
        }
    }

    fn without_answer(cause: Cause) -> Self {
        if cause.to_string().starts_with("error deserializing") {
            return Self::Unreadable { cause };
        }
        Self::Broken { cause }
    }

    /// The schema of `options` is missing.
    pub(super) fn no_schema(options: &Options) -> Self {
        Self::NoSchema { schema: options.schema.to_string(), database: options.database().into() }
    }

    /// Whether the server does not understand what it is asked, now and at the next attempt.
    pub(super) fn is_for_good(&self) -> bool {
        let Self::Refused { cause, .. } = self else { return false };
        cause.code().is_some_and(|code| ["0A", "22", "42"].iter().any(|class| code.code().starts_with(class)))
    }

    /// Whether the connection is of no use any more: it is gone, or its server is no primary.
    pub(super) fn ends_session(&self) -> bool {
        matches!(self, Self::Broken { .. } | Self::Unanswered(_) | Self::Standby { .. })
    }
}

impl StoreTrouble for Trouble {
    const STORE: &'static str = KIND;

    fn kind(&self) -> StoreErrorKind {
        match self {
            Self::WrongPassword { .. } | Self::NotLetIn { .. } | Self::NotAllowed { .. } => {
                StoreErrorKind::Denied
            }
            Self::NoDatabase { .. } | Self::TlsOptions(_) | Self::TwoClusters { .. } => {
                StoreErrorKind::Invalid
            }
            Self::TooOld { .. }
            | Self::Unsynced { .. }
            | Self::Another { .. }
            | Self::Lost { .. }
            | Self::NoSchema { .. }
            | Self::Newer { .. }
            | Self::Older { .. }
            | Self::Foreign { .. }
            | Self::Unreadable { .. } => StoreErrorKind::Incompatible,
            Self::NoneOf(troubles) => kind_of_all(troubles),
            Self::Unreachable { .. }
            | Self::Silent { .. }
            | Self::Tls { .. }
            | Self::Crowded { .. }
            | Self::NotReady { .. }
            | Self::Standby { .. }
            | Self::ReadOnly { .. }
            | Self::Former { .. }
            | Self::Full { .. }
            | Self::Busy { .. }
            | Self::Refused { .. }
            | Self::Broken { .. }
            | Self::Unreplicated
            | Self::Unanswered(_)
            | Self::Closed
            | Self::NoThread
            | Self::NoChance => StoreErrorKind::Unavailable,
        }
    }

    fn is_unanswered(&self, _operation: Operation) -> bool {
        matches!(
            self,
            Self::Broken { .. }
                | Self::Unreplicated
                | Self::Unanswered(_)
                | Self::Unreadable { .. }
                | Self::Closed
        )
    }

    fn into_cause(self) -> Option<trouble::Cause> {
        match self {
            Self::Unreachable { cause, .. }
            | Self::Tls { cause, .. }
            | Self::WrongPassword { cause, .. }
            | Self::NotLetIn { cause, .. }
            | Self::NoDatabase { cause, .. }
            | Self::Crowded { cause, .. }
            | Self::NotReady { cause, .. }
            | Self::Foreign { cause, .. }
            | Self::NotAllowed { cause, .. }
            | Self::Full { cause }
            | Self::Busy { cause }
            | Self::Refused { cause, .. }
            | Self::Broken { cause }
            | Self::Unreadable { cause } => Some(Box::new(cause)),
            _ => None,
        }
    }
}

/// The classes of errors that PostgreSQL raises while a statement runs, and by which it takes the transaction back: data that do not
/// fit, constraints, a transaction in the wrong state, rights, deadlocks, names, resources, limits, objects in use, a function's own.
const CLASSES: [&str; 13] = ["0A", "22", "23", "25", "28", "3D", "3F", "42", "44", "53", "54", "55", "P0"];

/// Errors of other classes that do the same.
const CODES: [SqlState; 4] = [
    SqlState::T_R_SERIALIZATION_FAILURE,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::T_R_INTEGRITY_CONSTRAINT_VIOLATION,
    SqlState::QUERY_CANCELED,
];

/// Whether an error surely says that its statement changed nothing. PostgreSQL gives its severity twice, once in every language and
/// once for machines; pools in between give only the first.
fn took_it_back(answer: &DbError) -> bool {
    let code = answer.code();
    answer.parsed_severity() == Some(Severity::Error)
        && (CODES.contains(code) || CLASSES.iter().any(|class| code.code().starts_with(class)))
}

/// While one of them may come back, trying again makes sense.
fn kind_of_all(troubles: &[Trouble]) -> StoreErrorKind {
    let mut kinds = troubles.iter().map(Trouble::kind);
    let waits = kinds.clone().any(|kind| kind == StoreErrorKind::Unavailable);
    if waits { StoreErrorKind::Unavailable } else { kinds.next().unwrap_or(StoreErrorKind::Unavailable) }
}
