//! Opens the file, or says why not.
//!
//! Any number of processes may open a new file at the same time: the first to get the lock lays it out, and the others find it
//! laid out. Switching to the write-ahead log ignores SQLite's own waiting, so the whole is tried again for a while.

use std::io;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction};
use tenure::store::{StoreError, StoreErrorKind};

use super::custody::{Custodian, Exposure};
use super::database_file::DatabaseFile;
use super::drawn::Drawn;
use super::error::{KIND, Loss, Trouble};
use super::journal::schema;
use super::look::{Looked, Still, look};
use super::premises::{Identity, Premises};
use super::statement;
use crate::trouble::StoreTrouble;

/// How often and with what pause a file that is busy is tried again.
const TRIES: usize = 40;
const PAUSE: Duration = Duration::from_millis(50);

/// Opens the database at `place` for `purpose`; a call waits for a lock no longer than `patience`.
pub(super) fn open(place: &DatabaseFile, purpose: Purpose, patience: Duration) -> Result<Opened, StoreError> {
    patiently(place, || match purpose {
        Purpose::Work => attempt(place, patience),
        Purpose::Look => attempt_to_look(place, patience),
    })
}

/// Opens the file of journals at `place`, and makes it if it is not there.
pub(super) fn open_journals(place: &DatabaseFile, patience: Duration) -> Result<Connection, StoreError> {
    patiently(place, || attempt_journals(place, patience))
}

/// Tries again while the file is busy.
fn patiently<T>(place: &DatabaseFile, attempt: impl Fn() -> Result<T, Refusal>) -> Result<T, StoreError> {
    let named = place.file().display().to_string();
    let mut tries = 1..TRIES;
    loop {
        match attempt() {
            Err(Refusal::Trouble(Trouble::Busy(_))) if tries.next().is_some() => std::thread::sleep(PAUSE),
            Err(Refusal::Trouble(trouble)) => return Err(trouble.on("open", &named)),
            Err(Refusal::Unfit(message)) => {
                return Err(StoreError::new(StoreErrorKind::Incompatible, KIND, "open", named, message));
            }
            Err(Refusal::Exposed(exposure)) => {
                return Err(StoreError::new(
                    StoreErrorKind::Denied,
                    KIND,
                    "open",
                    named,
                    exposure.to_string(),
                ));
            }
            Err(Refusal::NotMade(cause)) => {
                let message = Trouble::CANNOT_OPEN;
                return Err(
                    StoreError::new(StoreErrorKind::Denied, KIND, "open", named, message).caused_by(cause)
                );
            }
            Ok(opened) => return Ok(opened),
        }
    }
}

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To read and write, and to make it if it is not there.
    Work,
    /// To read: nothing is written, and nothing made.
    Look,
}

/// A database that is open, with what stands beside it.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) connection: Connection,
    pub(super) premises: Premises,
    /// Those who look may have to do without.
    pub(super) drawn: Option<Drawn>,
    /// What must stay so while one looks; `None` if nothing must.
    pub(super) still: Option<Still>,
    pub(super) purpose: Purpose,
    pub(super) custodian: Custodian,
}

enum Refusal {
    Trouble(Trouble),
    Unfit(String),
    Exposed(Exposure),
    NotMade(io::Error),
}

impl From<Exposure> for Refusal {
    fn from(exposure: Exposure) -> Self {
        Self::Exposed(exposure)
    }
}

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

fn attempt(place: &DatabaseFile, patience: Duration) -> Result<Opened, Refusal> {
    let step = |error| Trouble::in_step(error, patience);
    let custodian = Custodian::of(place)?;
    custodian.make_file(place.file()).map_err(Refusal::NotMade)?;
    let before = Identity::at(place.file()).ok().flatten();
    let mut connection = connect(place, patience).map_err(step)?;
    let is_ours = refuse_stranger(&connection, &RECORDS, patience)?;
    use_log(&connection, patience)?;
    let drawn = Drawn::open(&place.drawn(), custodian).map_err(Refusal::NotMade)?;
    // A file that is laid out already is opened without the write lock: it may be somebody's for long.
    if !is_ours {
        lay_out(&mut connection, &drawn, patience)?;
    }
    refuse_older_copy(place, &drawn, &connection, patience)?;
    // From the first read on SQLite keeps all its files as long as we are connected.
    let premises = Premises::survey(place)?;
    if before.is_some() && premises.database() != before {
        return Err(Trouble::Lost(Loss::Replaced(place.file().to_owned())).into());
    }
    // Once more, now that all files are there: somebody may have been quicker than we were.
    Custodian::of(place)?;
    let (drawn, still, purpose) = (Some(drawn), None, Purpose::Work);
    Ok(Opened { connection, premises, drawn, still, purpose, custodian })
}

fn attempt_journals(place: &DatabaseFile, patience: Duration) -> Result<Connection, Refusal> {
    let step = |error| Trouble::in_step(error, patience);
    Custodian::of(place)?.make_file(place.file()).map_err(Refusal::NotMade)?;
    let mut connection = connect(place, patience).map_err(step)?;
    let is_ours = refuse_stranger(&connection, &schema::MARK, patience)?;
    use_log(&connection, patience)?;
    if !is_ours {
        let transaction = statement::begin(&mut connection).map_err(step)?;
        // Another process may have laid it out while this one waited for the lock.
        if !Layout::read(&transaction).map_err(step)?.judge(&schema::MARK)? {
            transaction.execute_batch(schema::CREATE).map_err(step)?;
            transaction.commit().map_err(|error| Trouble::in_commit(error, patience))?;
        }
    }
    // From the first read on SQLite keeps all its files as long as we are connected.
    connection.query_row("SELECT count(*) FROM fence", [], |_| Ok(())).map_err(step)?;
    Custodian::of(place)?;
    Ok(connection)
}

fn attempt_to_look(place: &DatabaseFile, patience: Duration) -> Result<Opened, Refusal> {
    let custodian = Custodian::seen_at(place)?;
    let Looked { connection, premises, drawn, still } = look(place, patience)?;
    if !refuse_stranger(&connection, &RECORDS, patience)? {
        return Err(Refusal::Unfit("it holds nothing yet; start a member on it".into()));
    }
    if let Some(drawn) = &drawn {
        refuse_older_copy(place, drawn, &connection, patience)?;
    }
    // What was read so far counts only if nobody wrote meanwhile.
    match still.as_ref().is_none_or(Still::holds) {
        true => Ok(Opened { connection, premises, drawn, still, purpose: Purpose::Look, custodian }),
        false => Err(Trouble::Busy(patience).into()),
    }
}

/// Opens a file that is there. SQLite would make a missing one so that others can read it.
fn connect(place: &DatabaseFile, patience: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(place.file(), flags)?;
    connection.busy_timeout(patience)?;
    check_writable(&connection)?;
    Ok(connection)
}

/// The mark is read first: whatever it says was committed before.
fn refuse_older_copy(
    place: &DatabaseFile,
    drawn: &Drawn,
    connection: &Connection,
    patience: Duration,
) -> Result<(), Trouble> {
    let given = drawn.greatest();
    let newest = statement::newest(connection).map_err(|error| Trouble::in_step(error, patience))?;
    if newest < given { Err(Trouble::Lost(Loss::forgot(place, newest, given))) } else { Ok(()) }
}

/// SQLite opens a file that it may not write for reading alone, and says nothing.
fn check_writable(connection: &Connection) -> rusqlite::Result<()> {
    if connection.is_readonly("main")? {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY);
        return Err(rusqlite::Error::SqliteFailure(code, None));
    }
    Ok(())
}

/// Before anything is changed: a database of another program, or of a later version of this one, is left alone.
/// Tells whether it is ours already.
fn refuse_stranger(connection: &Connection, ours: &Mark, patience: Duration) -> Result<bool, Refusal> {
    let step = |error| Trouble::in_step(error, patience);
    let look = connection.unchecked_transaction().map_err(step)?;
    Layout::read(&look).map_err(step)?.judge(ours)
}

/// How a file of ours is marked.
pub(super) struct Mark {
    pub(super) application: i64,
    pub(super) layout: i64,
}

const RECORDS: Mark = Mark { application: statement::APPLICATION, layout: statement::LAYOUT };

/// What a database says of itself. Read within one transaction: another process may be laying it out.
struct Layout {
    application: i64,
    version: i64,
    tables: i64,
}

impl Layout {
    fn read(transaction: &Transaction<'_>) -> rusqlite::Result<Self> {
        let number = |sql| transaction.query_row(sql, [], |row| row.get(0));
        Ok(Self {
            application: number("PRAGMA application_id")?,
            version: number("PRAGMA user_version")?,
            tables: number("SELECT count(*) FROM sqlite_schema")?,
        })
    }

    /// Whether it is ours already; a blank one can become ours, any other is refused.
    fn judge(&self, ours: &Mark) -> Result<bool, Refusal> {
        match (self.application, self.version) {
            (0, 0) if self.tables == 0 => Ok(false),
            (application, version) if application == ours.application && version == ours.layout => Ok(true),
            (application, other) if application == ours.application => Err(Refusal::Unfit(format!(
                "its layout is {other}, and this build knows {}; upgrade this program",
                ours.layout
            ))),
            (schema::APPLICATION, _) => Err(Refusal::Unfit("it holds journals; name another file".into())),
            (statement::APPLICATION, _) => {
                Err(Refusal::Unfit("it holds the records of ownership; name another file".into()))
            }
            _ => Err(Refusal::Unfit("it is the database of another program; name another file".into())),
        }
    }
}

fn use_log(connection: &Connection, patience: Duration) -> Result<(), Refusal> {
    let step = |error| Trouble::in_step(error, patience);
    let mode: String =
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(step)?;
    if mode == "wal" {
        return connection.pragma_update(None, "synchronous", "FULL").map_err(|error| step(error).into());
    }
    Err(Refusal::Unfit(format!(
        "its journal stays in mode {mode}, since this file system can't share memory between processes; use a local disk"
    )))
}

fn lay_out(connection: &mut Connection, drawn: &Drawn, patience: Duration) -> Result<(), Refusal> {
    let step = |error| Trouble::in_step(error, patience);
    let transaction = statement::begin(connection).map_err(step)?;
    // Another process may have laid it out while this one waited for the lock.
    if Layout::read(&transaction).map_err(step)?.judge(&RECORDS)? {
        return Ok(());
    }
    transaction.execute_batch(statement::CREATE).map_err(step)?;
    // A database that begins anew, where another one was before, gives its own versions.
    drawn.reset();
    transaction.commit().map_err(|error| Trouble::in_commit(error, patience).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_can_only_be_read_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let connection = Connection::open_with_flags(file.path(), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let error = check_writable(&connection).unwrap_err();
        let trouble = Trouble::in_step(error, Duration::ZERO).on("open", "tenure.db");
        assert_eq!(trouble.kind, StoreErrorKind::Denied);
        assert!(trouble.to_string().contains("grant this user write access"), "{trouble}");
    }
}
