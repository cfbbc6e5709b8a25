//! The steps on journals, as statements and what they bring back. What they mean is decided in `tenure_core::journal::rows`.
//!
//! There are two connections. Appends have one to themselves; whatever may move a snapshot of many megabytes goes over the other.

use bytes::Bytes;
use futures_util::future::try_join;
use tenure::Epoch;
use tenure::journal::rows::{self, Fence, Holder, Settled};
use tenure::journal::{
    Author, Damage, Entry, Fault, JournalError, Kept, Place, Seq, Shortened, SnapshotName,
};
use tenure::store::{StoreError, StoreErrorKind};
use tokio_postgres::types::Type;

use super::batch;
use super::beside::BesideStatements;
use super::gather::Append;
use super::line::{Line, PlaceKey};
use super::row::{self, Before, signed};
use super::statement::Statements;
use crate::postgres::duty::{APPENDS, SNAPSHOTS};
use crate::postgres::error::{KIND, Trouble};
use crate::postgres::url::Options;

/// What a step came to: what is wrong with the connection or the server is outside, a refusal of the journal inside.
pub(super) type Done<T> = Result<Result<T, JournalError>, Trouble>;

/// How far an opener has read ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) snapshot: Option<SnapshotName>,
    pub(super) start: Seq,
    pub(super) next: Seq,
}

/// What an opening found.
#[derive(Debug)]
pub(super) struct Found {
    /// Its own number.
    pub(super) fence: Seq,
    /// What stands for the entries before the start.
    pub(super) before: Before,
    /// The entries that were there before and are not known.
    pub(super) entries: Vec<Entry>,
}

/// What every step needs.
#[derive(Debug)]
pub(super) struct JournalRoom {
    pub(super) statements: Statements,
    pub(super) beside: BesideStatements,
    appends: Line,
    pub(super) snapshots: Line,
}

impl JournalRoom {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            statements: Statements::on(&options.schema),
            beside: BesideStatements::on(&options.schema),
            appends: Line::new(options, &APPENDS),
            snapshots: Line::new(options, &SNAPSHOTS),
        }
    }

    /// Opens a journal, of which `known` was read ahead. One that was sent and not answered may be sent again: there are two fences
    /// then, and the later one counts.
    pub(super) async fn open(&self, place: &Place, author: Author, known: Known, at: u64) -> Done<Found> {
        loop {
            if let Some(seq) = self.claim(place, author, known, at).await? {
                return self.found(place, known, seq).await;
            }
            let fence = self.fence(&self.snapshots, place).await?;
            if let Err(fault) = rows::open(fence.as_ref(), &author) {
                return Ok(Err(fault.into()));
            }
            let now = fence.map_or(Seq::FIRST, |fence| fence.last.next());
            if now < known.next {
                return Ok(Err(Fault::WentBack { was: known.next, now }.into()));
            }
            // It has changed since: what refused us is gone.
        }
    }

    async fn claim(
        &self,
        place: &Place,
        author: Author,
        known: Known,
        at: u64,
    ) -> Result<Option<Seq>, Trouble> {
        let Author { lineage, epoch, run } = author;
        let (lineage, run) = (lineage.0.to_be_bytes(), run.0.to_be_bytes());
        let (lineage, run, epoch) = (&lineage[..], &run[..], signed(epoch.0));
        let (at, next, key) = (signed(at), signed(known.next.0), PlaceKey::of(place));
        let parameters = key.with(&[
            (&lineage, Type::BYTEA),
            (&epoch, Type::INT8),
            (&run, Type::BYTEA),
            (&at, Type::INT8),
            (&next, Type::INT8),
        ]);
        let line = &self.snapshots;
        let rows = line.change(&self.statements.open, &parameters).await?;
        let last: Option<i64> = line.read(rows.first().map(|row| row.try_get(0)).transpose())?;
        Ok(last.map(|last| Seq(last.unsigned_abs())))
    }

    /// What was there before the fence `seq`, which nobody but its author can follow, and is not known. Others may still shorten what is
    /// before it.
    async fn found(&self, place: &Place, known: Known, seq: Seq) -> Done<Found> {
        loop {
            let read = (self.before(place, known.snapshot), self.entries(place, known.next, seq));
            let (Some((start, before)), Some((began, entries))) = try_join(read.0, read.1).await? else {
                return Ok(Err(JournalError::Closed));
            };
            if start < known.start {
                return Ok(Err(Fault::WentBack { was: known.start, now: start }.into()));
            }
            // Only an author that has opened it since can have shortened it past our fence.
            if start > seq {
                let fence = self.fence(&self.snapshots, place).await?;
                return Ok(Err(Fault::Fenced(fence.map_or(Epoch(0), |fence| fence.epoch)).into()));
            }
            if let (Before::Nothing, true) = (&before, start > Seq::FIRST) {
                return Ok(Err(Fault::Damaged(Damage::SnapshotGone(start.before())).into()));
            }
            if start == began {
                let entries = without_gap(known.next.max(start), seq, entries);
                return Ok(entries.map(|entries| Found { fence: seq, before, entries }));
            }
        }
    }

    /// All that is there; nothing if there is no journal.
    pub(super) async fn ahead(&self, place: &Place) -> Done<Kept> {
        loop {
            let read = (self.before(place, None), self.entries(place, Seq::FIRST, Seq(u64::MAX)));
            let (Some((start, before)), Some((began, entries))) = try_join(read.0, read.1).await? else {
                return Ok(Ok(Kept::default()));
            };
            if start == began {
                let end = entries.last().map_or(start, |last| last.seq.next());
                return Ok(
                    without_gap(start, end, entries).map(|entries| Kept::new(before.another(), entries))
                );
            }
        }
    }

    async fn before(
        &self,
        place: &Place,
        known: Option<SnapshotName>,
    ) -> Result<Option<(Seq, Before)>, Trouble> {
        let (line, key) = (&self.snapshots, PlaceKey::of(place));
        let (upto, epoch) = (known.map(|name| signed(name.upto.0)), known.map(|name| signed(name.epoch.0)));
        let run = known.map(|name| name.run.0.to_be_bytes().to_vec());
        let parameters = key.with(&[(&upto, Type::INT8), (&epoch, Type::INT8), (&run, Type::BYTEA)]);
        let rows = line.ask(&self.statements.snapshot, &parameters).await?;
        line.read(rows.first().map(row::before).transpose())
    }

    /// The entries from `from` on, or from the start if that is later, before `end`; and where the journal begins.
    async fn entries(
        &self,
        place: &Place,
        from: Seq,
        end: Seq,
    ) -> Result<Option<(Seq, Vec<Entry>)>, Trouble> {
        let (line, key) = (&self.snapshots, PlaceKey::of(place));
        let (from, end) = (signed(from.0), signed(end.0));
        let parameters = key.with(&[(&from, Type::INT8), (&end, Type::INT8)]);
        let rows = line.ask(&self.statements.entries, &parameters).await?;
        line.read(row::entries(&rows))
    }

    pub(super) async fn fence(&self, line: &Line, place: &Place) -> Result<Option<Fence>, Trouble> {
        let key = PlaceKey::of(place);
        let rows = line.ask(&self.statements.fence, &key.with(&[])).await?;
        line.read(rows.first().map(row::fence).transpose())
    }

    /// Reads entries from `from` on.
    pub(super) async fn read(&self, place: &Place, from: Seq, limit: usize) -> Done<Vec<Entry>> {
        let end = Seq(from.0.saturating_add(limit as u64));
        Ok(match self.entries(place, from, end).await? {
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
    /// `known` is the last entry that is known to be stored.
    pub(super) async fn settle(&self, place: &Place, holder: &Holder, known: Seq, seq: Seq) -> Done<()> {
        let Some(fence) = self.fence(&self.appends, place).await? else {
            return Ok(Err(JournalError::Closed));
        };
        let settled = rows::refuse_older(&fence, &holder.author, known);
        match settled.and_then(|()| rows::settle(&fence, holder, seq)) {
            Ok(Settled::Stored) if self.confirm(place, holder.opened).await? => Ok(Ok(())),
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
        author: &Author,
        last: Seq,
        at: u64,
        state: &Bytes,
    ) -> Done<Shortened> {
        let (lineage, run) = (author.lineage.0.to_be_bytes(), author.run.0.to_be_bytes());
        let (lineage, run, state) = (&lineage[..], &run[..], &state[..]);
        let (upto, epoch, at) = (signed(last.0), signed(author.epoch.0), signed(at));
        let key = PlaceKey::of(place);
        let parameters = key.with(&[
            (&lineage, Type::BYTEA),
            (&upto, Type::INT8),
            (&epoch, Type::INT8),
            (&run, Type::BYTEA),
            (&at, Type::INT8),
            (&state, Type::BYTEA),
        ]);
        if !self.snapshots.change(&self.statements.shorten, &parameters).await?.is_empty() {
            return Ok(Ok(Shortened::Cleared));
        }
        let Some(fence) = self.fence(&self.snapshots, place).await? else {
            return Ok(Err(JournalError::Closed));
        };
        match rows::shorten(&fence, author, last) {
            Err(fault) => return Ok(Err(fault.into())),
            Ok(Some(_)) => return Ok(Err(changed(last).into())),
            Ok(None) => {}
        }
        // It may be ours, of which we had no answer.
        let parameters = key.with(&[(&upto, Type::INT8), (&epoch, Type::INT8), (&run, Type::BYTEA)]);
        let ours = self.snapshots.ask(&self.statements.is_shortened, &parameters).await?;
        Ok(Ok(if ours.is_empty() { Shortened::Dropped } else { Shortened::Cleared }))
    }
}

/// The entries, if none is missing.
fn without_gap(from: Seq, end: Seq, entries: Vec<Entry>) -> Result<Vec<Entry>, JournalError> {
    rows::refuse_missing(from, end, entries.iter().map(|entry| entry.seq))?;
    Ok(entries)
}

fn early(seq: Seq) -> StoreError {
    let message = "the entry before it is not stored yet; append them in order";
    StoreError::new(StoreErrorKind::Unavailable, KIND, "append", format!("entry {seq}"), message)
}

fn changed(upto: Seq) -> StoreError {
    let message = "the journal changed meanwhile; try again";
    StoreError::new(StoreErrorKind::Unavailable, KIND, "shorten", format!("up to entry {upto}"), message)
}
