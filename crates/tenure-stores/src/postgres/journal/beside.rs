//! What stands beside the entries: records by key, parts, blobs, and what an operator asks.

use bytes::Bytes;
use tenure::journal::rows::{self, Fence};
use tenure::journal::{JournalError, Keyed, Look, Part, Place, Record, Saved, Seq};
use tenure::{Lineage, ShardId};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::line::PlaceKey;
use super::room::{Done, JournalRoom};
use super::row::{self, signed};
use crate::postgres::error::Trouble;
use crate::postgres::schema::Schema;
use crate::postgres::session::Parameter;

/// The statements on one schema.
#[derive(Debug)]
pub(super) struct BesideStatements {
    /// Takes journal, shard, key, a number and a limit; brings the start, and the records about the key after that number.
    of_key: String,
    /// Takes journal, shard and key.
    part: String,
    /// Takes journal, shard, key, a number, the time and a state; brings the number if none is newer.
    save_part: String,
    /// Takes journal and shard that come before, and a limit.
    places: String,
    /// Takes journal and shard.
    look: String,
    /// Takes a name and bytes; brings the name if it is new.
    keep: String,
    /// Takes a name and bytes; brings the name if these are kept under it, by a write.
    confirm_blob: String,
    /// Takes a name.
    fetch: String,
    /// Takes a prefix, a name that comes before, and a limit.
    names: String,
    /// Takes names.
    remove: String,
}

impl BesideStatements {
    /// The statements on `schema`.
    pub(super) fn on(schema: &Schema) -> Self {
        let [fence, entry, snapshot, part, blob] = ["fence", "entry", "snapshot", "part", "blob"]
            .map(|table| format!("\"{schema}\".journal_{table}"));
        let one = "journal = $1 AND shard = $2";
        Self {
            of_key: format!(
                "SELECT f.start, e.seq, e.version, e.body FROM {fence} AS f LEFT JOIN {entry} AS e \
                   ON e.journal = f.journal AND e.shard = f.shard AND e.key = $3 AND e.seq > $4 AND e.seq <= (\
                     SELECT max(seq) FROM (SELECT DISTINCT seq FROM {entry} \
                       WHERE {one} AND key = $3 AND seq > $4 ORDER BY seq LIMIT $5) AS few) \
                 WHERE f.journal = $1 AND f.shard = $2 ORDER BY e.seq, e.n"
            ),
            part: format!("SELECT seq, at, state FROM {part} WHERE {one} AND key = $3"),
            save_part: format!(
                "INSERT INTO {part} AS p (journal, shard, key, seq, at, state) VALUES ($1, $2, $3, $4, $5, $6) \
                 ON CONFLICT (journal, shard, key) DO UPDATE \
                 SET seq = excluded.seq, at = excluded.at, state = excluded.state WHERE p.seq <= excluded.seq \
                 RETURNING seq"
            ),
            places: format!(
                "SELECT journal, shard FROM {fence} WHERE (journal, shard) > ($1, $2) \
                 ORDER BY journal, shard LIMIT $3"
            ),
            look: format!(
                "SELECT f.lineage, f.epoch, f.run, f.last, f.start, f.opened, \
                   s.upto, s.epoch, s.run, s.at, octet_length(s.state)::bigint \
                 FROM {fence} AS f LEFT JOIN {snapshot} AS s USING (journal, shard) WHERE {one}"
            ),
            keep: format!("INSERT INTO {blob} VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name"),
            confirm_blob: format!(
                "UPDATE {blob} SET name = name WHERE name = $1 AND bytes = $2 RETURNING name"
            ),
            fetch: format!("SELECT bytes FROM {blob} WHERE name = $1"),
            // Names are made of marks below 127, so this bound is above all that begin with the prefix.
            names: format!(
                "SELECT name FROM {blob} WHERE name > $2 AND name >= $1 AND name < $1 || chr(127) \
                 ORDER BY name LIMIT $3"
            ),
            remove: format!("DELETE FROM {blob} WHERE name = ANY($1)"),
        }
    }
}

impl JournalRoom {
    /// The records about `key` of at most `limit` entries after `after`: by the index, and of each entry all.
    pub(super) async fn read_of(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Done<Vec<Keyed>> {
        let (at, bytes, seq, limit) =
            (PlaceKey::of(place), key.as_bytes(), signed(after.0), signed(limit as u64));
        let parameters = at.with(&[(&bytes, Type::BYTEA), (&seq, Type::INT8), (&limit, Type::INT8)]);
        let line = &self.snapshots;
        let rows = line.ask(&self.beside.of_key, &parameters).await?;
        let Some(first) = rows.first() else { return Ok(Ok(Vec::new())) };
        let start = Seq(line.read(row::number(first, 0))?);
        if after.next() < start {
            return Ok(Err(JournalError::Shortened { start }));
        }
        let found: Result<Vec<Option<Keyed>>, _> = rows.iter().map(|row| keyed(row, key)).collect();
        Ok(Ok(line.read(found)?.into_iter().flatten().collect()))
    }

    pub(super) async fn part(&self, place: &Place, key: &str) -> Done<Option<Part>> {
        let (at, bytes, line) = (PlaceKey::of(place), key.as_bytes(), &self.snapshots);
        let rows = line.ask(&self.beside.part, &at.with(&[(&bytes, Type::BYTEA)])).await?;
        let part = |row: &Row| {
            let (seq, at_ms) = (Seq(row::number(row, 0)?), row::number(row, 1)?);
            Ok(Part { seq, at_ms, state: row::blob(row, 2)? })
        };
        Ok(Ok(line.read(rows.first().map(part).transpose())?))
    }

    /// Saves a part unless a newer one is there.
    pub(super) async fn save_part(&self, place: &Place, key: &str, part: &Part) -> Done<Saved> {
        let (at, bytes, state) = (PlaceKey::of(place), key.as_bytes(), &part.state[..]);
        let (seq, at_ms) = (signed(part.seq.0), signed(part.at_ms));
        let parameters = at.with(&[
            (&bytes, Type::BYTEA),
            (&seq, Type::INT8),
            (&at_ms, Type::INT8),
            (&state, Type::BYTEA),
        ]);
        let saved = self.snapshots.change(&self.beside.save_part, &parameters).await?;
        Ok(Ok(if saved.is_empty() { Saved::Dropped } else { Saved::Stored }))
    }

    pub(super) async fn places(&self, after: Option<&Place>, limit: usize) -> Done<Vec<Place>> {
        // No name is empty.
        let journal = after.map_or("", |place| place.journal.as_str());
        let (shard, limit) = (after.map_or(0, |place| i64::from(place.shard.0)), signed(limit as u64));
        let parameters: [Parameter<'_>; 3] =
            [(&journal, Type::TEXT), (&shard, Type::INT8), (&limit, Type::INT8)];
        let line = &self.snapshots;
        let rows = line.ask(&self.beside.places, &parameters).await?;
        let place = |row: &Row| {
            let (journal, shard): (&str, u64) = (row.try_get(0)?, row::number(row, 1)?);
            // What has no name of ours is left alone.
            let place = journal.parse().ok().zip(u32::try_from(shard).ok());
            Ok(place.map(|(journal, shard)| Place { journal, shard: ShardId(shard) }))
        };
        let places: Result<Vec<Option<Place>>, _> = rows.iter().map(place).collect();
        Ok(Ok(line.read(places)?.into_iter().flatten().collect()))
    }

    pub(super) async fn look(&self, place: &Place) -> Done<Option<Look>> {
        let (at, line) = (PlaceKey::of(place), &self.snapshots);
        let rows = line.ask(&self.beside.look, &at.with(&[])).await?;
        Ok(Ok(line.read(rows.first().map(look).transpose())?))
    }

    /// Takes a journal over for `lineage`, and answers with the lineage that it had. Somebody who writes meanwhile has it tried again.
    pub(super) async fn adopt(&self, place: &Place, lineage: Lineage, at: u64) -> Done<Option<Lineage>> {
        loop {
            let Some(fence) = self.fence(&self.snapshots, place).await? else {
                return Ok(Err(JournalError::NoJournal(place.clone())));
            };
            let Some(adopted) = rows::adopt(&fence, lineage) else { return Ok(Ok(None)) };
            if self.take_over(place, &fence, &adopted, at).await? {
                return Ok(Ok(Some(fence.lineage)));
            }
        }
    }

    async fn take_over(&self, place: &Place, was: &Fence, adopted: &Fence, at: u64) -> Result<bool, Trouble> {
        let bits = |bits: u128| bits.to_be_bytes().to_vec();
        let (old_lineage, old_run, old_epoch) = (bits(was.lineage.0), bits(was.run.0), signed(was.epoch.0));
        let (lineage, run, epoch) = (bits(adopted.lineage.0), bits(adopted.run.0), signed(adopted.epoch.0));
        let (last, opened, at, key) =
            (signed(was.last.0), signed(was.opened.0), signed(at), PlaceKey::of(place));
        let parameters = key.with(&[
            (&old_lineage, Type::BYTEA),
            (&old_epoch, Type::INT8),
            (&old_run, Type::BYTEA),
            (&last, Type::INT8),
            (&opened, Type::INT8),
            (&lineage, Type::BYTEA),
            (&epoch, Type::INT8),
            (&run, Type::BYTEA),
            (&at, Type::INT8),
        ]);
        Ok(!self.snapshots.change(&self.statements.adopt, &parameters).await?.is_empty())
    }

    /// Keeps a blob, unless other bytes have its name. To see the same is not enough: one that no standby has is seen too.
    pub(super) async fn keep(&self, name: &str, bytes: &Bytes) -> Done<()> {
        let (line, value) = (&self.snapshots, &bytes[..]);
        let parameters: [Parameter<'_>; 2] = [(&name, Type::TEXT), (&value, Type::BYTEA)];
        loop {
            for statement in [&self.beside.keep, &self.beside.confirm_blob] {
                if !line.change(statement, &parameters).await?.is_empty() {
                    return Ok(Ok(()));
                }
            }
            if !line.ask(&self.beside.fetch, &parameters[..1]).await?.is_empty() {
                return Ok(Err(JournalError::Taken(name.into())));
            }
            // It was removed in between.
        }
    }

    pub(super) async fn fetch(&self, name: &str) -> Done<Option<Bytes>> {
        let line = &self.snapshots;
        let rows = line.ask(&self.beside.fetch, &[(&name, Type::TEXT)]).await?;
        Ok(Ok(line.read(rows.first().map(|row| row::blob(row, 0)).transpose())?))
    }

    pub(super) async fn names(&self, prefix: &str, after: &str, limit: usize) -> Done<Vec<String>> {
        let (line, limit) = (&self.snapshots, signed(limit as u64));
        let parameters: [Parameter<'_>; 3] =
            [(&prefix, Type::TEXT), (&after, Type::TEXT), (&limit, Type::INT8)];
        let rows = line.ask(&self.beside.names, &parameters).await?;
        Ok(Ok(line.read(rows.iter().map(|row| row.try_get(0)).collect())?))
    }

    pub(super) async fn remove(&self, names: &[String]) -> Done<()> {
        self.snapshots.change(&self.beside.remove, &[(&names, Type::TEXT_ARRAY)]).await?;
        Ok(Ok(()))
    }
}

fn keyed(row: &Row, key: &str) -> Result<Option<Keyed>, tokio_postgres::Error> {
    let Some(seq) = row.try_get::<_, Option<i64>>(1)? else { return Ok(None) };
    let (version, body) = (row::read_version(row.try_get(2)?), row::blob(row, 3)?);
    let record = Record { key: Some(key.to_owned()), version, body };
    Ok(Some(Keyed { seq: Seq(seq.unsigned_abs()), record }))
}

fn look(row: &Row) -> Result<Look, tokio_postgres::Error> {
    let fence = row::fence(row)?;
    let look = Look::new(fence.lineage, fence.start, fence.last, fence.holder().author);
    if row.try_get::<_, Option<i64>>(6)?.is_none() {
        return Ok(look);
    }
    Ok(look.with_snapshot(row::snapshot_name(row, 6)?, row::number(row, 9)?, row::number(row, 10)?))
}
