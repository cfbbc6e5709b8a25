//! Rows of journals, as the journal knows them.

use bytes::Bytes;
use tenure::journal::rows::Fence;
use tenure::journal::{Author, Entry, Kind, Record, Run, Seq, Snapshot, SnapshotName};
use tenure::{Epoch, Lineage};
use tokio_postgres::{Error, Row};

/// A journal's fence.
pub(super) fn fence(row: &Row) -> Result<Fence, Error> {
    Ok(Fence {
        lineage: Lineage(bits(row, 0)?),
        epoch: Epoch(number(row, 1)?),
        run: Run(bits(row, 2)?),
        last: Seq(number(row, 3)?),
        start: Seq(number(row, 4)?),
        opened: Seq(number(row, 5)?),
    })
}

/// What stands for the entries before the start.
#[derive(Debug)]
pub(super) enum Before {
    /// Nothing: the journal begins with its first entry.
    Nothing,
    /// The snapshot that is known.
    Known,
    /// Another one.
    Another(Snapshot),
}

impl Before {
    /// The snapshot, unless it is the one that is known.
    pub(super) fn another(self) -> Option<Snapshot> {
        match self {
            Self::Another(snapshot) => Some(snapshot),
            Self::Nothing | Self::Known => None,
        }
    }
}

/// Where a journal begins, and what stands before.
pub(super) fn before(row: &Row) -> Result<(Seq, Before), Error> {
    let start = Seq(number(row, 0)?);
    if row.try_get::<_, Option<i64>>(1)?.is_none() {
        return Ok((start, Before::Nothing));
    }
    let (name, at_ms) = (snapshot_name(row, 1)?, number(row, 4)?);
    let Some(state) = row.try_get::<_, Option<&[u8]>>(5)? else { return Ok((start, Before::Known)) };
    let state = Bytes::copy_from_slice(state);
    Ok((start, Before::Another(Snapshot { name, at_ms, fences: Vec::new(), state })))
}

/// The name of a snapshot, from three columns.
pub(super) fn snapshot_name(row: &Row, first: usize) -> Result<SnapshotName, Error> {
    let (upto, epoch) = (Seq(number(row, first)?), Epoch(number(row, first + 1)?));
    Ok(SnapshotName { upto, epoch, run: Run(bits(row, first + 2)?) })
}

/// Where a journal begins, and the entries that were asked for; nothing if there is no such journal.
pub(super) fn entries(rows: &[Row]) -> Result<Option<(Seq, Vec<Entry>)>, Error> {
    let Some(first) = rows.first() else { return Ok(None) };
    let mut entries: Vec<Entry> = Vec::new();
    for row in rows {
        let Some(seq) = row.try_get::<_, Option<i64>>(1)? else { break };
        let seq = Seq(seq.unsigned_abs());
        if entries.last().is_none_or(|entry| entry.seq != seq) {
            entries.push(first_row(row, seq)?);
        }
        if let (Some(entry), Some(record)) = (entries.last_mut(), record(row)?) {
            entry.records.push(record);
        }
    }
    Ok(Some((Seq(number(first, 0)?), entries)))
}

fn first_row(row: &Row, seq: Seq) -> Result<Entry, Error> {
    let (lineage, epoch, run) = (Lineage(bits(row, 2)?), Epoch(number(row, 3)?), Run(bits(row, 4)?));
    let kind = match row.try_get::<_, i16>(6)? {
        0 => Kind::Fence,
        2 => Kind::Adoption { from: Lineage(bits(row, 9)?) },
        _ => Kind::Batch,
    };
    let author = Author { lineage, epoch, run };
    Ok(Entry { seq, author, at_ms: number(row, 5)?, kind, records: Vec::new() })
}

fn record(row: &Row) -> Result<Option<Record>, Error> {
    let Some(version) = row.try_get::<_, Option<i32>>(8)? else { return Ok(None) };
    let key: Option<&[u8]> = row.try_get(7)?;
    // What this program wrote was text.
    let key = key.map(|key| String::from_utf8_lossy(key).into_owned());
    Ok(Some(Record { key, version: read_version(version), body: blob(row, 9)? }))
}

pub(super) fn read_version(version: i32) -> u16 {
    version.try_into().unwrap_or(u16::MAX)
}

pub(super) fn blob(row: &Row, column: usize) -> Result<Bytes, Error> {
    row.try_get(column).map(Bytes::copy_from_slice)
}

/// Numbers of a journal, as PostgreSQL has them: it knows only signed ones, and these stay far below its greatest.
pub(super) fn signed(number: u64) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

pub(super) fn number(row: &Row, column: usize) -> Result<u64, Error> {
    row.try_get::<_, i64>(column).map(i64::unsigned_abs)
}

pub(super) fn bits(row: &Row, column: usize) -> Result<u128, Error> {
    let bytes: &[u8] = row.try_get(column)?;
    // Bits that are too few or too many are nobody's.
    Ok(<[u8; 16]>::try_from(bytes).map_or(0, u128::from_be_bytes))
}
