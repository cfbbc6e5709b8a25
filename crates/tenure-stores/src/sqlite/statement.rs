//! The SQL: one table of records, one counter.
//!
//! The counter is drawn in the transaction that uses its number, and counts removals too. So no version is given twice, not
//! even across a removal, and "what changed since version n" is one question.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use tenure::store::{Entry, Read, Version, Versioned, When};

/// The layout that this build reads and writes.
pub(super) const LAYOUT: i64 = 1;

/// Marks a file as ours: "tenu".
pub(super) const APPLICATION: i64 = 0x7465_6E75;

pub(super) const CREATE: &str = "
    CREATE TABLE records (key TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL, value BLOB NOT NULL);
    CREATE INDEX records_by_version ON records (version);
    CREATE TABLE counter (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), drawn INTEGER NOT NULL);
    INSERT INTO counter (only_row, drawn) VALUES (1, 0);
    PRAGMA application_id = 0x74656E75;
    PRAGMA user_version = 1;
";

/// What changed since some version.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The newest version there is.
    pub(super) newest: i64,
    /// Records that were written since, and still are there, with their numbers.
    pub(super) written: Vec<(i64, Entry)>,
}

/// What was found, and the greatest number that had been drawn at that moment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen<T> {
    pub(super) drawn: i64,
    pub(super) found: T,
}

pub(super) fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

pub(super) fn get(
    connection: &Connection,
    key: &str,
    unless: Option<&Version>,
) -> rusqlite::Result<Seen<Read>> {
    let mut select = connection
        .prepare_cached("SELECT drawn, version, value FROM counter LEFT JOIN records ON key = ?1")?;
    select.query_row([key], |row| {
        let found = match row.get::<_, Option<i64>>(1)?.map(version_of) {
            None => Read::Absent,
            Some(version) if unless == Some(&version) => Read::Unchanged,
            Some(version) => Read::Found(Versioned { version, value: blob(row, 2)? }),
        };
        Ok(Seen { drawn: row.get(0)?, found })
    })
}

/// One statement, so that what it shows was there at one moment; as are the changes below.
pub(super) fn list(connection: &Connection, prefix: &str) -> rusqlite::Result<Seen<Vec<Entry>>> {
    let mut select = connection.prepare_cached(
        "SELECT drawn, version, key, value FROM counter LEFT JOIN records ON key >= ?1 ORDER BY key",
    )?;
    let mut rows = select.query([prefix])?;
    let (mut drawn, mut found) = (0, Vec::new());
    while let Some(row) = rows.next()? {
        drawn = row.get(0)?;
        match entry(row)? {
            Some((_, entry)) if entry.key.starts_with(prefix) => found.push(entry),
            Some(_) | None => break,
        }
    }
    Ok(Seen { drawn, found })
}

/// The record of a row that has a number drawn, a version, a key and a value; `None` if the number is all that it has.
fn entry(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<(i64, Entry)>> {
    let Some(number) = row.get(1)? else { return Ok(None) };
    let record = Versioned { version: version_of(number), value: blob(row, 3)? };
    Ok(Some((number, Entry { key: row.get(2)?, record })))
}

/// Whether a write may land.
pub(super) fn holds(connection: &Connection, key: &str, when: &When) -> rusqlite::Result<bool> {
    let mut select = connection.prepare_cached("SELECT version FROM records WHERE key = ?1")?;
    let present = select.query_row([key], |row| row.get(0)).optional()?.map(version_of);
    Ok(match (present, when) {
        (None, When::Absent) => true,
        (Some(present), When::Is(version)) => present == *version,
        (None, When::Is(_)) | (Some(_), When::Absent) => false,
    })
}

pub(super) fn write(connection: &Connection, key: &str, value: &[u8]) -> rusqlite::Result<i64> {
    let number = draw(connection)?;
    let mut upsert = connection.prepare_cached(
        "INSERT INTO records (key, version, value) VALUES (?1, ?2, ?3)
         ON CONFLICT (key) DO UPDATE SET version = excluded.version, value = excluded.value",
    )?;
    upsert.execute((key, number, value))?;
    Ok(number)
}

pub(super) fn remove(connection: &Connection, key: &str) -> rusqlite::Result<i64> {
    let number = draw(connection)?;
    connection.prepare_cached("DELETE FROM records WHERE key = ?1")?.execute([key])?;
    Ok(number)
}

fn draw(connection: &Connection) -> rusqlite::Result<i64> {
    let mut update = connection.prepare_cached("UPDATE counter SET drawn = drawn + 1 RETURNING drawn")?;
    update.query_row([], |row| row.get(0))
}

/// The newest version there is.
pub(super) fn newest(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("SELECT drawn FROM counter")?.query_row([], |row| row.get(0))
}

pub(super) fn changes_since(connection: &Connection, seen: i64) -> rusqlite::Result<Changes> {
    let mut select = connection
        .prepare_cached("SELECT drawn, version, key, value FROM counter LEFT JOIN records ON version > ?1")?;
    let mut rows = select.query([seen])?;
    let mut changes = Changes::default();
    while let Some(row) = rows.next()? {
        changes.newest = row.get(0)?;
        changes.written.extend(entry(row)?);
    }
    Ok(changes)
}

/// A number that differs from the one before whenever another connection has committed in between.
pub(super) fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

pub(super) fn version_of(number: i64) -> Version {
    Version::new(number.to_string())
}

fn blob(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Bytes> {
    Ok(Bytes::copy_from_slice(row.get_ref(column)?.as_blob()?))
}
