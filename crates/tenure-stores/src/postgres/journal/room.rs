//! The steps on journals, as statements and what they bring back. What they mean is decided in `tenure_core::journal::rows`.
//!
//! There are two connections. Appends have one to themselves; whatever may move a snapshot of many megabytes goes over the other.

use bytes::Bytes;
use futures_util::future::try_join;
use tenure::Lineage;
use tenure::journal::rows::{self, Settled};
use tenure::journal::{
    Author, Damage, Entry, Fault, JournalError, Place, Seq, Shortened, Snapshot, SnapshotName,
};
use tenure::store::{StoreError, StoreErrorKind};
use tokio_postgres::types::Type;

use super::batch;
use super::gather::Append;
use super::line::{Line, PlaceKey};
use super::row::{self, FenceRow, signed};
use super::statement::Statements;
use crate::postgres::duty::{APPENDS, SNAPSHOTS};
use crate::postgres::error::{KIND, Trouble};
use crate::postgres::url::Options;

/// What a step came to: what is wrong with the connection or the server is outside, a refusal of the journal inside.
pub(super) type Done<T> = Result<Result<T, JournalError>, Trouble>;

/// What an opening found: its own number, and all that was there before.
pub(super) type Found = (Seq, Option<Snapshot>, Vec<Entry>);

/// What every step needs.
#[derive(Debug)]
pub(super) struct JournalRoom {
    statements: Statements,
    appends: Line,
    pub(super) snapshots: Line,
}

impl JournalRoom {
    pub(super) fn new(options: &Options) -> Self {
        let statements = Statements::on(&options.schema);
        Self { statements, appends: Line::new(options, &APPENDS), snapshots: Line::new(options, &SNAPSHOTS) }
    }

    /// Opens a journal. One that was sent and not answered may be sent again: there are two fences then, and the later one counts.
    pub(super) async fn open(&self, place: &Place, author: Author, at: u64) -> Done<Found> {
        loop {
            if let Some(seq) = self.claim(place, author, at).await? {
                return self.found(place, seq).await;
            }
            let Some(row) = self.fence(&self.snapshots, place).await? else {
                return Ok(Err(JournalError::Closed));
            };
            if let Err(fault) = rows::refusal(&row.fence, &author) {
                return Ok(Err(fault.into()));
            }
            // It has changed since: what refused us is gone.
        }
    }

    async fn claim(&self, place: &Place, author: Author, at: u64) -> Result<Option<Seq>, Trouble> {
        let Author { lineage, epoch, run } = author;
        let (lineage, run) = (lineage.0.to_be_bytes(), run.0.to_be_bytes());
        let (lineage, run, epoch, at) = (&lineage[..], &run[..], signed(epoch.0), signed(at));
        let key = PlaceKey::of(place);
        let parameters = key.with(&[
            (&lineage, Type::BYTEA),
            (&epoch, Type::INT8),
            (&run, Type::BYTEA),
            (&at, Type::INT8),
        ]);
        let line = &self.snapshots;
        let rows = line.change(&self.statements.open, &parameters).await?;
        let last: Option<i64> = line.read(rows.first().map(|row| row.try_get(0)).transpose())?;
        Ok(last.map(|last| Seq(last.unsigned_abs())))
    }

    /// What was there before the fence `seq`, which nobody but its author can follow. Others may still shorten what is before it.
    async fn found(&self, place: &Place, seq: Seq) -> Done<Found> {
        loop {
            let both = try_join(self.snapshot(place), self.entries(place, None, seq)).await?;
            let (Some((start, snapshot)), Some((began, entries))) = both else {
                return Ok(Err(JournalError::Closed));
            };
            if start == began {
                return Ok(without_gap(start, seq, entries).map(|entries| (seq, snapshot, entries)));
            }
        }
    }

    async fn snapshot(&self, place: &Place) -> Result<Option<(Seq, Option<Snapshot>)>, Trouble> {
        let (line, key) = (&self.snapshots, PlaceKey::of(place));
        let rows = line.ask(&self.statements.snapshot, &key.with(&[])).await?;
        line.read(rows.first().map(row::snapshot).transpose())
    }

    /// The entries from `from`, or from the start on, before `end`; and where the journal begins.
    async fn entries(
        &self,
        place: &Place,
        from: Option<Seq>,
        end: Seq,
    ) -> Result<Option<(Seq, Vec<Entry>)>, Trouble> {
        let (line, key) = (&self.snapshots, PlaceKey::of(place));
        let (from, end) = (from.map(|from| signed(from.0)), signed(end.0));
        let parameters = key.with(&[(&from, Type::INT8), (&end, Type::INT8)]);
        let rows = line.ask(&self.statements.entries, &parameters).await?;
        line.read(row::entries(&rows))
    }

    async fn fence(&self, line: &Line, place: &Place) -> Result<Option<FenceRow>, Trouble> {
        let key = PlaceKey::of(place);
        let rows = line.ask(&self.statements.fence, &key.with(&[])).await?;
        line.read(rows.first().map(FenceRow::read).transpose())
    }

    /// Reads entries from `from` on.
    pub(super) async fn read(&self, place: &Place, from: Seq, limit: usize) -> Done<Vec<Entry>> {
        let end = Seq(from.0.saturating_add(limit as u64));
        Ok(match self.entries(place, Some(from), end).await? {
            None => Ok(Vec::new()),
            Some((start, _)) if from < start => Err(JournalError::Shortened { start }),
            Some((_, entries)) => {
                let end = entries.last().map_or(from, |last| last.seq.next());
                without_gap(from, end, entries)
            }
        })
    }

    /// Sends appends together, and tells each whether the fence let it in.
    pub(super) async fn append(&self, appends: Vec<Append>) {
        let sent = batch::Columns::of(&appends).send(&self.appends, &self.statements.append).await;
        for (append, i) in appends.into_iter().zip(1..) {
            // Its caller may have gone.
            let _ = append.reply.send(sent.as_ref().map(|stored| stored.contains(&i)).map_err(Clone::clone));
        }
    }

    /// What became of an append that the fence did not let in: it may be there already.
    pub(super) async fn settle(&self, place: &Place, author: &Author, opened: Seq, seq: Seq) -> Done<()> {
        let Some(row) = self.fence(&self.appends, place).await? else {
            return Ok(Err(JournalError::Closed));
        };
        match rows::settle_opened(&row.fence, row.opened, author, opened, seq) {
            Ok(Settled::Stored) if self.confirm(place, opened).await? => Ok(Ok(())),
            // It came before the one that precedes it, which is tried again: so is this.
            Ok(Settled::Stored | Settled::NotYet) => Ok(Err(early(seq).into())),
            Err(fault) => Ok(Err(fault.into())),
        }
    }

    /// Whether a write that comes after all of this author's is stored, and hence they are. To see them is not enough: one whose wait
    /// for a standby was given up is seen, and a fail-over takes it away.
    async fn confirm(&self, place: &Place, opened: Seq) -> Result<bool, Trouble> {
        let (key, opened) = (PlaceKey::of(place), signed(opened.0));
        let rows = self.appends.change(&self.statements.confirm, &key.with(&[(&opened, Type::INT8)])).await?;
        Ok(!rows.is_empty())
    }

    /// Lets a snapshot stand for the entries up to its own.
    pub(super) async fn shorten(
        &self,
        place: &Place,
        lineage: Lineage,
        name: SnapshotName,
        at: u64,
        state: &Bytes,
    ) -> Done<Shortened> {
        let (lineage_bits, run) = (lineage.0.to_be_bytes(), name.run.0.to_be_bytes());
        let (lineage_bits, run, state) = (&lineage_bits[..], &run[..], &state[..]);
        let (upto, epoch, at) = (signed(name.upto.0), signed(name.epoch.0), signed(at));
        let key = PlaceKey::of(place);
        let parameters = key.with(&[
            (&lineage_bits, Type::BYTEA),
            (&upto, Type::INT8),
            (&epoch, Type::INT8),
            (&run, Type::BYTEA),
            (&at, Type::INT8),
            (&state, Type::BYTEA),
        ]);
        if !self.snapshots.change(&self.statements.shorten, &parameters).await?.is_empty() {
            return Ok(Ok(Shortened::Cleared));
        }
        let Some(FenceRow { fence, .. }) = self.fence(&self.snapshots, place).await? else {
            return Ok(Err(JournalError::Closed));
        };
        if fence.lineage != lineage {
            return Ok(Err(Fault::Foreign(fence.lineage).into()));
        }
        if name.upto >= fence.start {
            return Ok(Err(not_stored(name.upto).into()));
        }
        // It may be ours, of which we had no answer.
        let parameters = key.with(&[(&upto, Type::INT8), (&epoch, Type::INT8), (&run, Type::BYTEA)]);
        let ours = self.snapshots.ask(&self.statements.is_shortened, &parameters).await?;
        Ok(Ok(if ours.is_empty() { Shortened::Dropped } else { Shortened::Cleared }))
    }
}

/// The entries, if none is missing.
fn without_gap(from: Seq, end: Seq, entries: Vec<Entry>) -> Result<Vec<Entry>, JournalError> {
    let there = entries.iter().map(|entry| Some(entry.seq)).chain(std::iter::repeat(None));
    let missing = from.until(end).zip(there).find(|(seq, there)| Some(*seq) != *there);
    match missing {
        Some((seq, _)) => Err(Fault::Damaged(Damage::EntryGone(seq)).into()),
        None => Ok(entries),
    }
}

fn early(seq: Seq) -> StoreError {
    let message = "the entry before it is not stored yet; append them in order";
    StoreError::new(StoreErrorKind::Unavailable, KIND, "append", format!("entry {seq}"), message)
}

fn not_stored(upto: Seq) -> StoreError {
    let message = "it is not stored, or not any more; open the journal again";
    StoreError::new(StoreErrorKind::Incompatible, KIND, "shorten", format!("up to entry {upto}"), message)
}
