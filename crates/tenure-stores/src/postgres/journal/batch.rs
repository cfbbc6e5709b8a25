//! Appends of several journals, as the arrays of one statement.

use tokio_postgres::types::Type;

use super::gather::Append;
use super::line::Line;
use super::row::signed;
use crate::postgres::error::Trouble;
use crate::postgres::session::Parameter;

/// The columns of appends, and of their records. Appends are numbered from one, as PostgreSQL counts.
#[derive(Debug, Default)]
pub(super) struct Columns<'a> {
    journals: Vec<&'a str>,
    shards: Vec<i64>,
    lineages: Vec<Vec<u8>>,
    epochs: Vec<i64>,
    runs: Vec<Vec<u8>>,
    opened: Vec<i64>,
    seqs: Vec<i64>,
    at: Vec<i64>,
    append_of: Vec<i64>,
    numbers: Vec<i32>,
    keys: Vec<Option<&'a [u8]>>,
    versions: Vec<Option<i32>>,
    bodies: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(appends: &'a [Append]) -> Self {
        let mut columns = Self::default();
        for (append, i) in appends.iter().zip(1..) {
            columns.add(append);
            columns.add_records(append, i);
        }
        columns
    }

    fn add(&mut self, append: &'a Append) {
        let Append { place, author, opened, entry, .. } = append;
        self.journals.push(place.journal.as_str());
        self.shards.push(place.shard.0.into());
        self.lineages.push(author.lineage.0.to_be_bytes().into());
        self.epochs.push(signed(author.epoch.0));
        self.runs.push(author.run.0.to_be_bytes().into());
        self.opened.push(signed(opened.0));
        self.seqs.push(signed(entry.seq.0));
        self.at.push(signed(entry.at_ms));
    }

    /// An entry without records is one row without a body.
    fn add_records(&mut self, append: &'a Append, i: i64) {
        let records = append.entry.records.iter().map(Some);
        let nothing = append.entry.records.is_empty().then_some(None);
        for (record, n) in records.chain(nothing).zip(0..) {
            self.append_of.push(i);
            self.numbers.push(n);
            self.keys.push(record.and_then(|record| record.key.as_deref()).map(str::as_bytes));
            self.versions.push(record.map(|record| record.version.into()));
            self.bodies.push(record.map(|record| &record.body[..]));
        }
    }

    /// The numbers of those that are stored.
    pub(super) async fn send(&self, line: &Line, sql: &str) -> Result<Vec<i64>, Trouble> {
        let parameters: [Parameter<'_>; 13] = [
            (&self.journals, Type::TEXT_ARRAY),
            (&self.shards, Type::INT8_ARRAY),
            (&self.lineages, Type::BYTEA_ARRAY),
            (&self.epochs, Type::INT8_ARRAY),
            (&self.runs, Type::BYTEA_ARRAY),
            (&self.opened, Type::INT8_ARRAY),
            (&self.seqs, Type::INT8_ARRAY),
            (&self.at, Type::INT8_ARRAY),
            (&self.append_of, Type::INT8_ARRAY),
            (&self.numbers, Type::INT4_ARRAY),
            (&self.keys, Type::BYTEA_ARRAY),
            (&self.versions, Type::INT4_ARRAY),
            (&self.bodies, Type::BYTEA_ARRAY),
        ];
        let rows = line.change(sql, &parameters).await?;
        line.read(rows.iter().map(|row| row.try_get(0)).collect())
    }
}
