//! Rows of journals, as the journal knows them. What can't be a journal's is unreadable: another version of this program wrote it.

use bytes::Bytes;
use tenure::journal::rows::Fence;
use tenure::journal::{Author, Entry, Kind, Record, Run, Seq, Snapshot, SnapshotName};
use tenure::{Epoch, Lineage};
use tokio_postgres::{Error, Row};

/// A journal's fence.
#[derive(Debug)]
pub(super) struct FenceRow {
    pub(super) fence: Fence,
    /// The number of the present author's fence.
    pub(super) opened: Seq,
}

impl FenceRow {
    pub(super) fn read(row: &Row) -> Result<Self, Error> {
        let fence = Fence {
            lineage: Lineage(bits(row, 0)?),
            epoch: Epoch(number(row, 1)?),
            run: Run(bits(row, 2)?),
            last: Seq(number(row, 3)?),
            start: Seq(number(row, 4)?),
        };
        Ok(Self { fence, opened: Seq(number(row, 5)?) })
    }
}

/// Where a journal begins, and the snapshot before.
pub(super) fn snapshot(row: &Row) -> Result<(Seq, Option<Snapshot>), Error> {
    let start = Seq(number(row, 0)?);
    let Some(state) = row.try_get::<_, Option<&[u8]>>(5)? else { return Ok((start, None)) };
    let name =
        SnapshotName { upto: Seq(number(row, 1)?), epoch: Epoch(number(row, 2)?), run: Run(bits(row, 3)?) };
    let (at_ms, state) = (number(row, 4)?, Bytes::copy_from_slice(state));
    Ok((start, Some(Snapshot { name, at_ms, fences: Vec::new(), state })))
}

/// Where a journal begins, and the entries that were asked for; nothing if there is no such journal.
pub(super) fn entries(rows: &[Row]) -> Result<Option<(Seq, Vec<Entry>)>, Error> {
    let Some(first) = rows.first() else { return Ok(None) };
    let mut entries: Vec<Entry> = Vec::new();
    for row in rows {
        let Some(seq) = row.try_get::<_, Option<i64>>(2)? else { break };
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
    let (lineage, epoch, run) = (Lineage(bits(row, 1)?), Epoch(number(row, 3)?), Run(bits(row, 4)?));
    let kind = if row.try_get::<_, i16>(6)? == 0 { Kind::Fence } else { Kind::Batch };
    Ok(Entry {
        seq,
        author: Author { lineage, epoch, run },
        at_ms: number(row, 5)?,
        kind,
        records: Vec::new(),
    })
}

fn record(row: &Row) -> Result<Option<Record>, Error> {
    let Some(version) = row.try_get::<_, Option<i32>>(8)? else { return Ok(None) };
    let key: Option<&[u8]> = row.try_get(7)?;
    // What this program wrote was text.
    let key = key.map(|key| String::from_utf8_lossy(key).into_owned());
    let body = Bytes::copy_from_slice(row.try_get(9)?);
    Ok(Some(Record { key, version: version.try_into().unwrap_or(u16::MAX), body }))
}

/// Numbers of a journal, as PostgreSQL has them: it knows only signed ones, and these stay far below its greatest.
pub(super) fn signed(number: u64) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn number(row: &Row, column: usize) -> Result<u64, Error> {
    row.try_get::<_, i64>(column).map(i64::unsigned_abs)
}

fn bits(row: &Row, column: usize) -> Result<u128, Error> {
    let bytes: &[u8] = row.try_get(column)?;
    // Bits that are too few or too many are nobody's.
    Ok(<[u8; 16]>::try_from(bytes).map_or(0, u128::from_be_bytes))
}
