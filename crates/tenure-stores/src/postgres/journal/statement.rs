//! The SQL of entries and snapshots, one statement for each step.
//!
//! Each is a transaction of its own, READ COMMITTED, and begins with the fence's row. A statement that meets another one on that row
//! waits for it, and then judges the row as that one left it: if the condition does not hold any more, the row is not changed, and
//! since everything else is fed by the changed row, nothing at all is written. So of an opening and an append of somebody else one
//! comes first. If it is the opening, the append finds another run and writes nothing; if it is the append, the opening counts it,
//! and whoever reads after the opening sees it.

use crate::postgres::schema::Schema;

/// The statements on one schema. Those that write bring a position in the log as their second column, beyond which they were committed.
#[derive(Debug)]
pub(super) struct Statements {
    /// Takes journal, shard, lineage, epoch, run, the time and the number after the last that is known; brings the number of the
    /// fence, or nothing.
    pub(super) open: String,
    /// Takes journal, shard, the lineage, epoch, run, last and opened that were seen, the new lineage, epoch and run, and the time;
    /// brings the number of the adoption, or nothing.
    pub(super) adopt: String,
    /// Takes appends and their records, each as arrays; brings which of them are stored.
    pub(super) append: String,
    /// Takes journal, shard and the number of a fence; brings the row again if that is the present one, by a write.
    pub(super) confirm: String,
    /// Takes journal and shard.
    pub(super) fence: String,
    /// Takes journal, shard, and upto, epoch and run of a snapshot that is known; brings the start, the snapshot's name and time, and
    /// the state if it is not that one.
    pub(super) snapshot: String,
    /// Takes journal, shard, a first number and an end; brings the start, and the records between both that are not before it.
    pub(super) entries: String,
    /// Takes journal, shard, lineage, upto, epoch, run, the time and a state; brings the new start, or nothing.
    pub(super) shorten: String,
    /// Takes journal, shard, upto, epoch and run; brings a row if that snapshot is the present one.
    pub(super) is_shortened: String,
}

const POSITION: &str = "pg_current_wal_insert_lsn()::text";

impl Statements {
    /// The statements on `schema`.
    pub(super) fn on(schema: &Schema) -> Self {
        let [fence, entry, snapshot] =
            ["fence", "entry", "snapshot"].map(|table| format!("\"{schema}\".journal_{table}"));
        let one = "journal = $1 AND shard = $2";
        Self {
            open: open(&fence, &entry),
            adopt: format!(
                "WITH fence AS (\
                   UPDATE {fence} SET lineage = $8, epoch = $9, run = $10, opened = last + 1, last = last + 1 \
                   WHERE {one} AND lineage = $3 AND epoch = $4 AND run = $5 AND last = $6 AND opened = $7 \
                   RETURNING last), \
                 wrote AS (\
                   INSERT INTO {entry} (journal, shard, seq, n, lineage, epoch, run, at, kind, body) \
                   SELECT $1, $2, last, 0, $8, $9, $10, $11, 2, $3 FROM fence) \
                 SELECT last, {POSITION} FROM fence"
            ),
            append: append(&fence, &entry),
            confirm: format!(
                "UPDATE {fence} SET last = last WHERE {one} AND opened = $3 RETURNING last, {POSITION}"
            ),
            fence: format!("SELECT lineage, epoch, run, last, start, opened FROM {fence} WHERE {one}"),
            snapshot: format!(
                "SELECT f.start, s.upto, s.epoch, s.run, s.at, \
                   CASE WHEN s.upto = $3 AND s.epoch = $4 AND s.run = $5 THEN NULL ELSE s.state END \
                 FROM {fence} AS f LEFT JOIN {snapshot} AS s USING (journal, shard) WHERE {one}"
            ),
            entries: format!(
                "SELECT f.start, e.seq, e.lineage, e.epoch, e.run, e.at, e.kind, e.key, e.version, e.body \
                 FROM {fence} AS f LEFT JOIN {entry} AS e ON e.journal = f.journal AND e.shard = f.shard \
                   AND e.seq >= greatest($3, f.start) AND e.seq < $4 \
                 WHERE f.journal = $1 AND f.shard = $2 ORDER BY e.seq, e.n"
            ),
            shorten: format!(
                "WITH fence AS (\
                   UPDATE {fence} SET start = $4 + 1 \
                   WHERE {one} AND lineage = $3 AND start <= $4 AND last >= $4 RETURNING start), \
                 kept AS (\
                   INSERT INTO {snapshot} (journal, shard, upto, epoch, run, at, state) \
                   SELECT $1, $2, $4, $5, $6, $7, $8 FROM fence ON CONFLICT (journal, shard) DO UPDATE \
                   SET upto = excluded.upto, epoch = excluded.epoch, run = excluded.run, at = excluded.at, \
                     state = excluded.state), \
                 gone AS (DELETE FROM {entry} USING fence WHERE {one} AND seq <= $4) \
                 SELECT start, {POSITION} FROM fence"
            ),
            is_shortened: format!(
                "SELECT 1 FROM {snapshot} WHERE {one} AND upto = $3 AND epoch = $4 AND run = $5"
            ),
        }
    }
}

/// A journal that is shorter than what is known of it went back: it is left alone, and so is one that is gone.
fn open(fence: &str, entry: &str) -> String {
    format!(
        "WITH fence AS (\
           INSERT INTO {fence} AS f (journal, shard, lineage, epoch, run, opened, last, start) \
           SELECT $1, $2, $3, $4, $5, 1, 1, 1 \
           WHERE $7 <= 1 OR EXISTS (SELECT 1 FROM {fence} WHERE journal = $1 AND shard = $2) \
           ON CONFLICT (journal, shard) DO UPDATE \
           SET epoch = excluded.epoch, run = excluded.run, opened = f.last + 1, last = f.last + 1 \
           WHERE f.lineage = excluded.lineage AND f.epoch <= excluded.epoch AND f.last + 1 >= $7 \
           RETURNING last), \
         wrote AS (\
           INSERT INTO {entry} (journal, shard, seq, n, lineage, epoch, run, at, kind) \
           SELECT $1, $2, last, 0, $3, $4, $5, $6, 0 FROM fence) \
         SELECT last, {POSITION} FROM fence"
    )
}

/// Appends of several journals at once, at most one of each.
fn append(fence: &str, entry: &str) -> String {
    let first = |column: &str| format!("CASE r.n WHEN 0 THEN {column} END");
    let firsts = ["a.lineage", "a.epoch", "a.run", "a.at", "1"].map(first).join(", ");
    format!(
        "WITH asked AS (\
           SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bytea[], \
             $6::bigint[], $7::bigint[], $8::bigint[]) WITH ORDINALITY \
             AS a(journal, shard, lineage, epoch, run, opened, seq, at, i)), \
         fence AS (\
           UPDATE {fence} AS f SET last = a.seq FROM asked AS a \
           WHERE f.journal = a.journal AND f.shard = a.shard AND f.lineage = a.lineage \
             AND f.epoch = a.epoch AND f.run = a.run AND f.opened = a.opened AND f.last = a.seq - 1 \
           RETURNING a.i), \
         wrote AS (\
           INSERT INTO {entry} (journal, shard, seq, n, lineage, epoch, run, at, kind, key, version, body) \
           SELECT a.journal, a.shard, a.seq, r.n, {firsts}, r.key, r.version, r.body \
           FROM fence JOIN asked AS a USING (i) \
           JOIN unnest($9::bigint[], $10::integer[], $11::bytea[], $12::integer[], $13::bytea[]) \
             AS r(i, n, key, version, body) USING (i)) \
         SELECT i, {POSITION} FROM fence"
    )
}
