//! The SQL of what stands beside the entries: records by key, parts, blobs, and what an operator asks.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, params};
use tenure::ShardId;
use tenure::journal::rows::Fence;
use tenure::journal::{JournalError, Keyed, Look, Part, Place, Record, Saved, Seq};

use super::schema::{blob, number, read_number};
use super::table::{self, Done, begin, read_name};

/// The records about `key` of at most `limit` entries after `after`: by the index, and of each entry all.
pub(super) fn read_of(
    connection: &mut Connection,
    place: &Place,
    key: &str,
    after: Seq,
    limit: usize,
) -> Done<Vec<Keyed>> {
    // One moment for all questions.
    let transaction = connection.transaction()?;
    let Some(fence) = table::fence(&transaction, place)? else { return Ok(Ok(Vec::new())) };
    if after.next() < fence.start {
        return Ok(Err(JournalError::Shortened { start: fence.start }));
    }
    let mut select = transaction.prepare_cached(OF_KEY)?;
    let (journal, shard) = (place.journal.as_str(), place.shard.0);
    let found = select
        .query_map(params![journal, shard, key, number(after.0), number(limit as u64)], |row| {
            let seq = Seq(read_number(row, 0)?);
            let record = Record { key: Some(key.to_owned()), version: row.get(1)?, body: blob(row, 2)? };
            Ok(Keyed { seq, record })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Ok(found))
}

/// Both questions are answered by the index of keys, which SQLite would not take by itself for a range; only bodies are fetched beside it.
const OF_KEY: &str = "
    SELECT seq, version, body FROM entry INDEXED BY entry_by_key WHERE journal = ?1 AND shard = ?2 AND key = ?3 AND key IS NOT NULL AND seq > ?4 AND seq <=
        (SELECT max(seq) FROM (SELECT DISTINCT seq FROM entry INDEXED BY entry_by_key
            WHERE journal = ?1 AND shard = ?2 AND key = ?3 AND key IS NOT NULL AND seq > ?4 ORDER BY seq LIMIT ?5))
    ORDER BY seq, n";

pub(super) fn part(connection: &mut Connection, place: &Place, key: &str) -> Done<Option<Part>> {
    let mut select = connection
        .prepare_cached("SELECT seq, at, state FROM part WHERE journal = ?1 AND shard = ?2 AND key = ?3")?;
    let part = select.query_row(params![place.journal.as_str(), place.shard.0, key], |row| {
        Ok(Part { seq: Seq(read_number(row, 0)?), at_ms: read_number(row, 1)?, state: blob(row, 2)? })
    });
    Ok(Ok(part.optional()?))
}

/// Saves a part unless a newer one is there.
pub(super) fn save_part(connection: &mut Connection, place: &Place, key: &str, part: &Part) -> Done<Saved> {
    let mut upsert = connection.prepare_cached(
        "INSERT INTO part VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT DO UPDATE SET seq = excluded.seq, at = excluded.at, state = excluded.state
         WHERE part.seq <= excluded.seq",
    )?;
    let (journal, shard) = (place.journal.as_str(), place.shard.0);
    let (seq, at) = (number(part.seq.0), number(part.at_ms));
    let changed = upsert.execute(params![journal, shard, key, seq, at, &part.state[..]])?;
    Ok(Ok(if changed == 1 { Saved::Stored } else { Saved::Dropped }))
}

pub(super) fn places(connection: &mut Connection, after: Option<&Place>, limit: usize) -> Done<Vec<Place>> {
    let mut select = connection.prepare_cached(
        "SELECT journal, shard FROM fence WHERE (journal, shard) > (?1, ?2) ORDER BY journal, shard LIMIT ?3",
    )?;
    // No name is empty.
    let (journal, shard) = after.map_or(("", 0), |place| (place.journal.as_str(), place.shard.0));
    let mut rows = select.query(params![journal, shard, number(limit as u64)])?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        // What has no name of ours is left alone.
        if let Ok(journal) = row.get_ref(0)?.as_str()?.parse() {
            places.push(Place { journal, shard: ShardId(row.get(1)?) });
        }
    }
    Ok(Ok(places))
}

pub(super) fn look(connection: &mut Connection, place: &Place) -> Done<Option<Look>> {
    // One moment for both questions.
    let transaction = connection.transaction()?;
    let Some(fence) = table::fence(&transaction, place)? else { return Ok(Ok(None)) };
    let Fence { lineage, last, start, .. } = fence;
    let look = Look::new(lineage, start, last, fence.holder().author);
    let mut select = transaction.prepare_cached(
        "SELECT upto, epoch, run, at, length(state) FROM snapshot WHERE journal = ?1 AND shard = ?2",
    )?;
    let snapshot = select.query_row(params![place.journal.as_str(), place.shard.0], |row| {
        Ok((read_name(row)?, read_number(row, 3)?, read_number(row, 4)?))
    });
    Ok(Ok(Some(match snapshot.optional()? {
        Some((name, at_ms, bytes)) => look.with_snapshot(name, at_ms, bytes),
        None => look,
    })))
}

/// Keeps a blob, unless other bytes have its name.
pub(super) fn keep(connection: &mut Connection, name: &str, bytes: &Bytes) -> Done<()> {
    let transaction = begin(connection)?;
    let added = transaction
        .prepare_cached("INSERT OR IGNORE INTO blob VALUES (?1, ?2)")?
        .execute(params![name, &bytes[..]])?;
    let same = added == 1
        || transaction
            .prepare_cached("SELECT bytes = ?2 FROM blob WHERE name = ?1")?
            .query_row(params![name, &bytes[..]], |row| row.get(0))?;
    transaction.commit()?;
    Ok(if same { Ok(()) } else { Err(JournalError::Taken(name.into())) })
}

pub(super) fn fetch(connection: &mut Connection, name: &str) -> Done<Option<Bytes>> {
    let mut select = connection.prepare_cached("SELECT bytes FROM blob WHERE name = ?1")?;
    Ok(Ok(select.query_row([name], |row| blob(row, 0)).optional()?))
}

pub(super) fn names(
    connection: &mut Connection,
    prefix: &str,
    after: &str,
    limit: usize,
) -> Done<Vec<String>> {
    let mut select = connection.prepare_cached(
        "SELECT name FROM blob WHERE name > ?1 AND name >= ?2 AND substr(name, 1, length(?2)) = ?2 ORDER BY name LIMIT ?3",
    )?;
    let names = select.query_map(params![after, prefix, number(limit as u64)], |row| row.get(0))?;
    Ok(Ok(names.collect::<rusqlite::Result<_>>()?))
}

pub(super) fn remove(connection: &mut Connection, names: &[String]) -> Done<()> {
    let transaction = begin(connection)?;
    let mut delete = transaction.prepare_cached("DELETE FROM blob WHERE name = ?1")?;
    names.iter().try_for_each(|name| delete.execute([name]).map(drop))?;
    drop(delete);
    transaction.commit()?;
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::journal::schema::CREATE;

    #[test]
    fn the_records_of_a_key_are_found_by_the_index_and_not_by_a_scan() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(CREATE).unwrap();
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {OF_KEY}")).unwrap();
        let steps: Vec<String> = plan
            .query_map(params!["j", 0, "k", 0, 10], |row| row.get(3))
            .unwrap()
            .collect::<rusqlite::Result<_>>()
            .unwrap();
        let of_entries: Vec<&String> = steps.iter().filter(|step| step.contains(" entry ")).collect();
        assert_eq!(of_entries.len(), 2, "{steps:?}");
        for step in of_entries {
            assert!(
                step.starts_with("SEARCH entry USING") && step.contains("INDEX entry_by_key"),
                "{steps:?}"
            );
        }
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
    }
}
