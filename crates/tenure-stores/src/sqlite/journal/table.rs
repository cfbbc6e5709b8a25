//! The SQL of entries and snapshots: a row for each shard that says who may write, a row for each record.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use tenure::journal::rows::{self, Fence, Holder, Settled};
use tenure::journal::{
    Author, Damage, Entry, Fault, JournalError, Kept, Kind, Place, Record, Run, Seq, Shortened, Snapshot,
    SnapshotName,
};
use tenure::store::{StoreError, StoreErrorKind};
use tenure::{Epoch, Lineage};

use super::schema::{ADOPTION, BATCH, FENCE, bits, blob, number, read_bits, read_number};
use crate::sqlite::error::KIND;

/// What a step on the tables came to: an error of SQLite's is outside, a refusal of the journal inside.
pub(super) type Done<T> = rusqlite::Result<Result<T, JournalError>>;

pub(super) fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// How far an opener has read ahead.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) snapshot: Option<SnapshotName>,
    pub(super) next: Seq,
}

/// A journal that is open.
pub(super) struct Opened {
    /// Who has it.
    pub(super) holder: Holder,
    /// The snapshot, unless it is the one that is known.
    pub(super) snapshot: Option<Snapshot>,
    /// Whether the one that is known is still the one.
    pub(super) same_snapshot: bool,
    /// All entries that were there before and are not known.
    pub(super) entries: Vec<Entry>,
}

/// Opens a journal.
pub(super) fn open(
    connection: &mut Connection,
    place: &Place,
    author: Author,
    known: Known,
    at: u64,
) -> Done<Opened> {
    let transaction = begin(connection)?;
    let found = fence(&transaction, place)?;
    let after = match rows::open(found.as_ref(), &author) {
        Ok(after) => after,
        Err(fault) => return Ok(Err(fault.into())),
    };
    let seq = after.opened;
    if known.next > seq {
        return Ok(Err(Fault::WentBack { was: known.next, now: seq }.into()));
    }
    let name = snapshot_name(&transaction, place)?;
    let same_snapshot = name == known.snapshot;
    let snapshot = if same_snapshot { None } else { snapshot(&transaction, place)? };
    let entries = entries(&transaction, place, known.next.max(after.start), seq)?;
    let upto = name.map(|name| name.upto);
    let whole = match &found {
        Some(fence) => rows::refuse_gaps(fence, known.next, upto, entries.iter().map(|entry| entry.seq)),
        None => refuse_orphans(&transaction, place, upto)?,
    };
    if let Err(fault) = whole {
        return Ok(Err(fault.into()));
    }
    fence_off(&transaction, place, &after, &Entry::fence(seq, author, at))?;
    transaction.commit()?;
    Ok(Ok(Opened { holder: after.holder(), snapshot, same_snapshot, entries }))
}

/// Where there is no row that says who may write, nothing else may be.
fn refuse_orphans(
    transaction: &Transaction<'_>,
    place: &Place,
    snapshot: Option<Seq>,
) -> rusqlite::Result<Result<(), Fault>> {
    let mut entries =
        transaction.prepare_cached("SELECT 1 FROM entry WHERE journal = ?1 AND shard = ?2 LIMIT 1")?;
    let is_left = snapshot.is_some() || entries.exists(params![place.journal.as_str(), place.shard.0])?;
    Ok(if is_left { Err(Fault::Damaged(Damage::HeadGone)) } else { Ok(()) })
}

/// Takes a journal over for `lineage`, and answers with the lineage that it had.
pub(super) fn adopt(
    connection: &mut Connection,
    place: &Place,
    lineage: Lineage,
    at: u64,
) -> Done<Option<Lineage>> {
    let transaction = begin(connection)?;
    let Some(was) = fence(&transaction, place)? else {
        return Ok(Err(JournalError::NoJournal(place.clone())));
    };
    let Some(adopted) = rows::adopt(&was, lineage) else { return Ok(Ok(None)) };
    let adoption = Entry::adoption(adopted.last, was.lineage, lineage, at);
    fence_off(&transaction, place, &adopted, &adoption)?;
    transaction.commit()?;
    Ok(Ok(Some(was.lineage)))
}

/// Sets the row that says who may write, and inserts the entry that says so.
fn fence_off(
    transaction: &Transaction<'_>,
    place: &Place,
    fence: &Fence,
    entry: &Entry,
) -> rusqlite::Result<()> {
    let mut upsert =
        transaction.prepare_cached("INSERT OR REPLACE INTO fence VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
    upsert.execute(params![
        place.journal.as_str(),
        place.shard.0,
        bits(fence.lineage.0),
        number(fence.epoch.0),
        bits(fence.run.0),
        number(fence.opened.0),
        number(fence.last.0),
        number(fence.start.0)
    ])?;
    insert(transaction, place, entry)
}

/// Appends an entry within a transaction: nothing is written unless the fence is its author's and at the entry before. `known` is the
/// last entry that the author knows to be stored.
pub(super) fn append(
    transaction: &Transaction<'_>,
    place: &Place,
    holder: &Holder,
    known: Seq,
    entry: &Entry,
) -> Done<()> {
    let mut update = transaction.prepare_cached(
        "UPDATE fence SET last = ?1 WHERE journal = ?2 AND shard = ?3
         AND lineage = ?4 AND epoch = ?5 AND run = ?6 AND opened = ?7 AND last = ?1 - 1",
    )?;
    let changed = update.execute(params![
        number(entry.seq.0),
        place.journal.as_str(),
        place.shard.0,
        bits(holder.author.lineage.0),
        number(holder.author.epoch.0),
        bits(holder.author.run.0),
        number(holder.opened.0)
    ])?;
    if changed == 1 {
        insert(transaction, place, entry)?;
        return Ok(Ok(()));
    }
    let Some(fence) = fence(transaction, place)? else { return Ok(Err(JournalError::Closed)) };
    let settled = rows::refuse_older(&fence, &holder.author, known)
        .and_then(|()| rows::settle(&fence, holder, entry.seq));
    Ok(match settled {
        Ok(Settled::Stored) => Ok(()),
        // It came before the one that precedes it, which is tried again: so is this.
        Ok(Settled::NotYet) => Err(early(entry.seq).into()),
        Err(fault) => Err(fault.into()),
    })
}

fn early(seq: Seq) -> StoreError {
    let message = "the entry before it is not stored yet; append them in order";
    StoreError::new(StoreErrorKind::Unavailable, KIND, "append", format!("entry {seq}"), message)
}

/// Lets a snapshot stand for the entries up to its own.
pub(super) fn shorten(
    connection: &mut Connection,
    place: &Place,
    author: &Author,
    upto: Seq,
    at: u64,
    state: &Bytes,
) -> Done<Shortened> {
    let transaction = begin(connection)?;
    let Some(fence) = fence(&transaction, place)? else { return Ok(Err(JournalError::Closed)) };
    match rows::shorten(&fence, author, upto) {
        Err(fault) => return Ok(Err(fault.into())),
        Ok(None) => return Ok(Ok(Shortened::Dropped)),
        Ok(Some(_)) => {}
    }
    let (journal, shard, upto) = (place.journal.as_str(), place.shard.0, number(upto.0));
    transaction
        .prepare_cached("INSERT OR REPLACE INTO snapshot VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
        .execute(params![
            journal,
            shard,
            upto,
            number(author.epoch.0),
            bits(author.run.0),
            number(at),
            &state[..]
        ])?;
    transaction
        .prepare_cached("UPDATE fence SET start = ?1 + 1 WHERE journal = ?2 AND shard = ?3")?
        .execute(params![upto, journal, shard])?;
    transaction
        .prepare_cached("DELETE FROM entry WHERE journal = ?1 AND shard = ?2 AND seq <= ?3")?
        .execute(params![journal, shard, upto])?;
    transaction.commit()?;
    Ok(Ok(Shortened::Cleared))
}

/// Reads entries from `from` on.
pub(super) fn read(connection: &mut Connection, place: &Place, from: Seq, limit: usize) -> Done<Vec<Entry>> {
    // One moment for both questions.
    let transaction = connection.transaction()?;
    let Some(fence) = fence(&transaction, place)? else { return Ok(Ok(Vec::new())) };
    if from < fence.start {
        return Ok(Err(JournalError::Shortened { start: fence.start }));
    }
    let end = Seq(from.0.saturating_add(limit as u64)).min(fence.last.next());
    Ok(Ok(entries(&transaction, place, from, end)?))
}

/// Reads all that is there.
pub(super) fn ahead(connection: &mut Connection, place: &Place) -> Done<Kept> {
    // One moment for all questions.
    let transaction = connection.transaction()?;
    let Some(fence) = fence(&transaction, place)? else { return Ok(Ok(Kept::default())) };
    let entries = entries(&transaction, place, fence.start, fence.last.next())?;
    Ok(Ok(Kept::new(snapshot(&transaction, place)?, entries)))
}

pub(super) fn fence(connection: &Connection, place: &Place) -> rusqlite::Result<Option<Fence>> {
    let mut select = connection.prepare_cached(
        "SELECT lineage, epoch, run, opened, last, start FROM fence WHERE journal = ?1 AND shard = ?2",
    )?;
    let fence = select.query_row(params![place.journal.as_str(), place.shard.0], |row| {
        Ok(Fence {
            lineage: Lineage(read_bits(row, 0)?),
            epoch: Epoch(read_number(row, 1)?),
            run: Run(read_bits(row, 2)?),
            opened: Seq(read_number(row, 3)?),
            last: Seq(read_number(row, 4)?),
            start: Seq(read_number(row, 5)?),
        })
    });
    fence.optional()
}

fn snapshot_name(connection: &Connection, place: &Place) -> rusqlite::Result<Option<SnapshotName>> {
    let mut select = connection
        .prepare_cached("SELECT upto, epoch, run FROM snapshot WHERE journal = ?1 AND shard = ?2")?;
    select.query_row(params![place.journal.as_str(), place.shard.0], read_name).optional()
}

/// The name of a snapshot, from the first three columns.
pub(super) fn read_name(row: &Row<'_>) -> rusqlite::Result<SnapshotName> {
    let (upto, epoch) = (Seq(read_number(row, 0)?), Epoch(read_number(row, 1)?));
    Ok(SnapshotName { upto, epoch, run: Run(read_bits(row, 2)?) })
}

fn snapshot(connection: &Connection, place: &Place) -> rusqlite::Result<Option<Snapshot>> {
    let mut select = connection.prepare_cached(
        "SELECT upto, epoch, run, at, state FROM snapshot WHERE journal = ?1 AND shard = ?2",
    )?;
    let snapshot = select.query_row(params![place.journal.as_str(), place.shard.0], |row| {
        let (name, at_ms) = (read_name(row)?, read_number(row, 3)?);
        Ok(Snapshot { name, at_ms, fences: Vec::new(), state: blob(row, 4)? })
    });
    snapshot.optional()
}

fn entries(connection: &Connection, place: &Place, from: Seq, end: Seq) -> rusqlite::Result<Vec<Entry>> {
    let mut select = connection.prepare_cached(
        "SELECT seq, epoch, run, at, kind, key, version, body, lineage FROM entry
         WHERE journal = ?1 AND shard = ?2 AND seq >= ?3 AND seq < ?4 ORDER BY seq, n",
    )?;
    let mut rows =
        select.query(params![place.journal.as_str(), place.shard.0, number(from.0), number(end.0)])?;
    let mut entries: Vec<Entry> = Vec::new();
    while let Some(row) = rows.next()? {
        let seq = Seq(read_number(row, 0)?);
        if entries.last().is_none_or(|entry| entry.seq != seq) {
            entries.push(first_row(row, seq)?);
        }
        if let (Some(entry), Some(record)) = (entries.last_mut(), record(row)?) {
            entry.records.push(record);
        }
    }
    Ok(entries)
}

fn first_row(row: &Row<'_>, seq: Seq) -> rusqlite::Result<Entry> {
    let (epoch, run) = (Epoch(read_number(row, 1)?), Run(read_bits(row, 2)?));
    let author = Author { lineage: Lineage(read_bits(row, 8)?), epoch, run };
    let kind = match row.get(4)? {
        FENCE => Kind::Fence,
        ADOPTION => Kind::Adoption { from: Lineage(read_bits(row, 7)?) },
        _ => Kind::Batch,
    };
    Ok(Entry { seq, author, at_ms: read_number(row, 3)?, kind, records: Vec::new() })
}

fn record(row: &Row<'_>) -> rusqlite::Result<Option<Record>> {
    let Some(version) = row.get(6)? else { return Ok(None) };
    Ok(Some(Record { key: row.get(5)?, version, body: blob(row, 7)? }))
}

fn insert(transaction: &Transaction<'_>, place: &Place, entry: &Entry) -> rusqlite::Result<()> {
    let mut insert = transaction
        .prepare_cached("INSERT INTO entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")?;
    let (kind, from) = match entry.kind {
        Kind::Fence => (FENCE, None),
        Kind::Batch => (BATCH, None),
        Kind::Adoption { from } => (ADOPTION, Some(bits(from.0))),
    };
    let records = entry.records.iter().map(Some);
    let nothing = entry.records.is_empty().then_some(None);
    for (n, record) in (0_i64..).zip(records.chain(nothing)) {
        let first = (n == 0).then_some(());
        insert.execute(params![
            place.journal.as_str(),
            place.shard.0,
            number(entry.seq.0),
            n,
            first.map(|()| bits(entry.author.lineage.0)),
            first.map(|()| number(entry.author.epoch.0)),
            first.map(|()| bits(entry.author.run.0)),
            first.map(|()| number(entry.at_ms)),
            first.map(|()| kind),
            record.and_then(|record| record.key.as_deref()),
            record.map(|record| record.version),
            record.map(|record| &record.body[..]).or_else(|| from.as_ref().map(|from| &from[..]))
        ])?;
    }
    Ok(())
}
