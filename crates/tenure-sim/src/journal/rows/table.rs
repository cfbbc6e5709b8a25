//! The modelled table: a row that says who may write, the entries, the snapshot; and the true history beside it.

use std::collections::BTreeMap;

use tenure_core::journal::fault::Damage;
use tenure_core::journal::rows::{Fence, Holder, Rows, refuse_gaps};
use tenure_core::journal::{Author, Fault, Flaw, Seq};

use crate::journal::history::{Fold, History, ToyEntry};
use crate::journal::promise::Promise;

/// A statement on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Statement {
    /// Takes the row, and inserts a fence.
    Open { author: Author },
    /// Counts the row up, and inserts an entry.
    Append { opened: Seq, seq: Seq, entry: ToyEntry },
    /// Stores a snapshot, raises the start, deletes what is before it.
    Shorten { author: Author, upto: Seq, state: Fold },
}

/// What the database said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// It was done; the row has this last number now.
    Done(Seq),
    /// No row fitted the condition: nothing was done.
    NoRow,
    /// The row can't be used.
    Refused(Fault),
    /// No answer came.
    Unsure,
}

/// What is in the tables for one journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::journal) struct Tables {
    pub(super) fence: Option<Fence>,
    pub(super) entries: BTreeMap<Seq, ToyEntry>,
    /// The last entry that it contains, and the state.
    pub(super) snapshot: Option<(Seq, Fold)>,
}

/// What is stored, and what is true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Store {
    pub(super) tables: Tables,
    pub(super) history: History,
    pub(super) is_damaged: bool,
    rows: Rows,
}

/// What one look at all tables shows.
pub(super) struct Sight {
    pub(super) fence: Fence,
    pub(super) state: Fold,
}

impl Store {
    pub(super) fn new(rows: Rows) -> Self {
        let (tables, history) = (Tables::default(), History::default());
        Self { tables, history, is_damaged: false, rows }
    }

    /// Lets a statement land.
    pub(super) fn land(&mut self, statement: Statement) -> Result<Reply, Promise> {
        let reply = match statement {
            Statement::Open { author } => self.open(author)?,
            Statement::Append { opened, seq, entry } => self.append(opened, seq, entry)?,
            Statement::Shorten { author, upto, state } => self.shorten(author, upto, state),
        };
        self.check()?;
        Ok(reply)
    }

    fn open(&mut self, author: Author) -> Result<Reply, Promise> {
        let tables = &self.tables;
        if tables.fence.is_none() && (tables.snapshot.is_some() || !tables.entries.is_empty()) {
            return Ok(Reply::Refused(Fault::Damaged(Damage::HeadGone)));
        }
        match self.rows.open(tables.fence.as_ref(), &author) {
            Ok(after) => self.insert(after, ToyEntry { author, batch: None }),
            Err(_) => Ok(Reply::NoRow),
        }
    }

    fn append(&mut self, opened: Seq, seq: Seq, entry: ToyEntry) -> Result<Reply, Promise> {
        let holder = Holder { author: entry.author, opened };
        let fence = self.tables.fence.as_ref();
        match fence.and_then(|fence| self.rows.append(fence, &holder, seq)) {
            Some(after) => self.insert(after, entry),
            None => Ok(Reply::NoRow),
        }
    }

    fn insert(&mut self, after: Fence, entry: ToyEntry) -> Result<Reply, Promise> {
        self.tables.fence = Some(after);
        self.tables.entries.insert(after.last, entry);
        if !self.is_damaged {
            self.history.store(after.last, entry)?;
        }
        Ok(Reply::Done(after.last))
    }

    fn shorten(&mut self, author: Author, upto: Seq, state: Fold) -> Reply {
        let Some(fence) = &self.tables.fence else { return Reply::NoRow };
        match self.rows.shorten(fence, &author, upto) {
            Err(fault) => return Reply::Refused(fault),
            Ok(None) => {}
            Ok(Some(after)) => {
                self.tables.fence = Some(after);
                if !self.rows.0.has(Flaw::ShortenedInTwo) {
                    self.tables.snapshot = Some((upto, state));
                }
                let stays = self.rows.first_that_stays(upto);
                self.tables.entries = self.tables.entries.split_off(&stays);
            }
        }
        Reply::Done(upto)
    }

    /// All tables at one moment; `None` if there is no row.
    pub(super) fn look(&self) -> Option<Result<Sight, Fault>> {
        let Tables { fence, entries, snapshot } = &self.tables;
        let fence = (*fence)?;
        let whole = refuse_gaps(&fence, fence.start, snapshot.map(|(upto, _)| upto), entries.keys().copied());
        let state = snapshot.map_or_else(Fold::default, |(_, state)| state).after(entries.values());
        Some(whole.map(|()| Sight { fence, state }))
    }

    /// V2 and V4, whatever changed.
    fn check(&self) -> Result<(), Promise> {
        let Some(fence) = self.tables.fence.filter(|_| !self.is_damaged) else { return Ok(()) };
        let live = fence.start.until(self.history.end());
        let stored = live.map(|seq| (seq, self.history.at(seq).copied())).map(|(seq, at)| Some((seq, at?)));
        let entries = self.tables.entries.iter().map(|(seq, entry)| Some((*seq, *entry)));
        if fence.last.next() != self.history.end() || !stored.eq(entries) {
            return Err(Promise::LiveLog);
        }
        let state = self.tables.snapshot.map_or_else(Fold::default, |(_, state)| state);
        let upto = self.tables.snapshot.map_or(Seq(0), |(upto, _)| upto);
        match upto.next() == fence.start && self.history.fold(fence.start) == Some(state) {
            true => Ok(()),
            false => Err(Promise::TrueSnapshot),
        }
    }
}
