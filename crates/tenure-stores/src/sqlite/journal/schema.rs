//! The tables of journals, and how numbers and bits stand in their columns.

use bytes::Bytes;
use rusqlite::Row;

use crate::sqlite::open::Mark;

/// Marks a file as one of journals: "tenj".
pub(in crate::sqlite) const APPLICATION: i64 = 0x7465_6E6A;

/// The layout that this build reads and writes.
pub(in crate::sqlite) const MARK: Mark = Mark { application: APPLICATION, layout: 1 };

/// A fence, and an entry without records, is one row without a body. Who wrote an entry and when stands in its first row; an adoption has
/// the lineage that it takes over as the body of its row, without a version.
///
/// What may be long has a table with row ids: in one without, SQLite reads a whole row to find it, and so would read a snapshot to learn
/// its name.
pub(in crate::sqlite) const CREATE: &str = "
    CREATE TABLE fence (journal TEXT NOT NULL, shard INTEGER NOT NULL, lineage BLOB NOT NULL, epoch INTEGER NOT NULL,
        run BLOB NOT NULL, opened INTEGER NOT NULL, last INTEGER NOT NULL, start INTEGER NOT NULL,
        PRIMARY KEY (journal, shard)) WITHOUT ROWID;
    CREATE TABLE entry (journal TEXT NOT NULL, shard INTEGER NOT NULL, seq INTEGER NOT NULL, n INTEGER NOT NULL,
        lineage BLOB, epoch INTEGER, run BLOB, at INTEGER, kind INTEGER, key TEXT, version INTEGER, body BLOB,
        PRIMARY KEY (journal, shard, seq, n)) WITHOUT ROWID;
    CREATE INDEX entry_by_key ON entry (journal, shard, key, seq, n) WHERE key IS NOT NULL;
    CREATE TABLE snapshot (journal TEXT NOT NULL, shard INTEGER NOT NULL, upto INTEGER NOT NULL, epoch INTEGER NOT NULL,
        run BLOB NOT NULL, at INTEGER NOT NULL, state BLOB NOT NULL, PRIMARY KEY (journal, shard));
    CREATE TABLE part (journal TEXT NOT NULL, shard INTEGER NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
        state BLOB NOT NULL, PRIMARY KEY (journal, shard, key));
    CREATE TABLE blob (name TEXT PRIMARY KEY NOT NULL, bytes BLOB NOT NULL);
    PRAGMA application_id = 0x74656E6A;
    PRAGMA user_version = 1;
";

/// What an entry is, as a number.
pub(super) const FENCE: i64 = 0;
pub(super) const BATCH: i64 = 1;
pub(super) const ADOPTION: i64 = 2;

/// Numbers of the journal stay far below what SQLite's can hold.
pub(super) fn number(number: u64) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

pub(super) fn read_number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|number| number.try_into().unwrap_or(0))
}

pub(super) fn bits(bits: u128) -> [u8; 16] {
    bits.to_be_bytes()
}

pub(super) fn read_bits(row: &Row<'_>, column: usize) -> rusqlite::Result<u128> {
    row.get::<_, [u8; 16]>(column).map(u128::from_be_bytes)
}

pub(super) fn blob(row: &Row<'_>, column: usize) -> rusqlite::Result<Bytes> {
    Ok(Bytes::copy_from_slice(row.get_ref(column)?.as_blob()?))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn a_row_with_a_long_state_is_found_without_reading_the_state() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(CREATE).unwrap();
        let mut select = connection
            .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr = 0")
            .unwrap();
        let with_row_ids: Vec<String> =
            select.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap();
        for table in ["snapshot", "part", "blob"] {
            assert!(with_row_ids.iter().any(|name| name == table), "{table} is not in {with_row_ids:?}");
        }
    }
}
