//! A journal on a store that can change a row on a condition: SQLite, PostgreSQL.
//!
//! One row for each shard, the *fence*, says who may write and how far the journal has come. Every append changes that row, on the
//! condition that it is still its own and still at the entry before. So of two writers one comes first, and the other finds the
//! condition broken and writes nothing:
//!
//! ```text
//!  open     fence: epoch ≤ ours                               → epoch, run := ours; opened, last := last + 1   and an entry, the fence
//!  append   fence: epoch, run, opened are ours, last = seq − 1 → last := seq                                   and the entry
//!  adopt    fence: as it was seen                             → another lineage, no epoch; opened, last := last + 1  and an entry
//!  shorten  fence: start ≤ upto                               → start := upto + 1                             and the snapshot
//! ```
//! An append whose answer never came may land later. It is settled by looking at the row, and by sending the same again: the
//! condition lets only one of both in.
//!
//! An opening whose answer never came may land later too, when its author has opened by another and appends already. It counts up,
//! like any opening. By epoch and run alone its author would take that number for its own entry; so the number of the fence, which
//! no two openings have, is part of who has the row.

use crate::ids::{Epoch, Lineage};

use super::author::{Author, Run, Seq};
use super::fault::{Damage, Fault};
use super::rules::Rules;

/// The row that says who may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fence {
    /// The cluster's founding.
    pub lineage: Lineage,
    /// Who opened the journal last.
    pub epoch: Epoch,
    /// In which start of work.
    pub run: Run,
    /// The number of the fence that it put.
    pub opened: Seq,
    /// The number of the last entry.
    pub last: Seq,
    /// The first entry that no snapshot contains.
    pub start: Seq,
}

/// Who has opened a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holder {
    /// The start of work.
    pub author: Author,
    /// The number of its fence: no two openings have the same.
    pub opened: Seq,
}

/// What an append whose outcome is not known has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Settled {
    /// It is stored.
    Stored,
    /// It is not there, and may still come: send the very same again.
    NotYet,
}

/// The decisions, by rules of which one may be broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rows(pub Rules);

/// The row after `author` has opened the journal; `last` is the number of its fence.
pub fn open(fence: Option<&Fence>, author: &Author) -> Result<Fence, Fault> {
    Rows(Rules::ALL).open(fence, author)
}

/// What became of the append under `seq`, judged by the row as it is now.
pub fn settle(fence: &Fence, holder: &Holder, seq: Seq) -> Result<Settled, Fault> {
    Rows(Rules::ALL).settle(fence, holder, seq)
}

/// Refuses a row that is behind `known`, the last entry that its author knows to be stored: the table was restored from a copy.
pub fn refuse_older(fence: &Fence, author: &Author, known: Seq) -> Result<(), Fault> {
    Rows(Rules::ALL).refuse_older(fence, author, known)
}

/// The row after a snapshot up to `upto`; `None` if a later one is there already.
pub fn shorten(fence: &Fence, author: &Author, upto: Seq) -> Result<Option<Fence>, Fault> {
    Rows(Rules::ALL).shorten(fence, author, upto)
}

/// The row after `lineage` has taken the journal over, and the entry that says so is under its last number; `None` if the journal is of
/// that lineage already. Every epoch comes after it, and whoever wrote before is refused as foreign.
pub fn adopt(fence: &Fence, lineage: Lineage) -> Option<Fence> {
    let Author { lineage, epoch, run } = Author::adopting(lineage);
    let opened = fence.last.next();
    let adopted = Fence { lineage, epoch, run, opened, last: opened, start: fence.start };
    (fence.lineage != lineage).then_some(adopted)
}

/// Refuses what was read with a row unless all of it is there: the snapshot before the start, and every entry since, or since `from`.
pub fn refuse_gaps(
    fence: &Fence,
    from: Seq,
    snapshot: Option<Seq>,
    entries: impl Iterator<Item = Seq>,
) -> Result<(), Fault> {
    if snapshot.unwrap_or_default().next() != fence.start {
        return Err(Fault::Damaged(Damage::SnapshotGone(fence.start.before())));
    }
    refuse_missing(fence.start.max(from), fence.last.next(), entries)
}

/// Refuses entries of which one is not there, of those from `from` on and before `end`.
pub fn refuse_missing(from: Seq, end: Seq, entries: impl Iterator<Item = Seq>) -> Result<(), Fault> {
    let mut read = entries.fuse();
    match from.until(end).find(|seq| read.next() != Some(*seq)) {
        Some(gone) => Err(Fault::Damaged(Damage::EntryGone(gone))),
        None => Ok(()),
    }
}

impl Fence {
    /// Who has the journal.
    pub fn holder(&self) -> Holder {
        let Self { lineage, epoch, run, opened, .. } = *self;
        Holder { author: Author { lineage, epoch, run }, opened }
    }
}

impl Rows {
    /// As [`open`].
    pub fn open(self, fence: Option<&Fence>, author: &Author) -> Result<Fence, Fault> {
        let Author { lineage, epoch, run } = *author;
        let Some(fence) = fence else {
            let opened = Seq::FIRST;
            return Ok(Fence { lineage, epoch, run, opened, last: opened, start: Seq::FIRST });
        };
        self.refuse_foreign(fence, author)?;
        if self.0.row_outranks(epoch, fence.epoch) {
            return Err(Fault::Fenced(fence.epoch));
        }
        let opened = fence.last.next();
        Ok(Fence { epoch, run, opened, last: opened, ..*fence })
    }

    /// The row after an append, if its condition holds. This is what the statement does.
    pub fn append(self, fence: &Fence, holder: &Holder, seq: Seq) -> Option<Fence> {
        let ours = self.0.is_ours(holder, &fence.holder());
        (ours && self.0.follows(fence.last, seq)).then_some(Fence { last: seq, ..*fence })
    }

    /// As [`settle`].
    pub fn settle(self, fence: &Fence, holder: &Holder, seq: Seq) -> Result<Settled, Fault> {
        self.refuse_foreign(fence, &holder.author)?;
        let ours = self.0.is_ours(holder, &fence.holder());
        // Numbers after our fence and up to the last were all written by us.
        match (self.0.is_stored(ours, fence.last, seq), ours) {
            (true, _) => Ok(Settled::Stored),
            (false, true) => Ok(Settled::NotYet),
            (false, false) => Err(Fault::Fenced(fence.epoch)),
        }
    }

    /// As [`refuse_older`].
    pub fn refuse_older(self, fence: &Fence, author: &Author, known: Seq) -> Result<(), Fault> {
        self.refuse_foreign(fence, author)?;
        match self.0.went_back(fence.last, known) {
            true => Err(Fault::WentBack { was: known, now: fence.last }),
            false => Ok(()),
        }
    }

    /// As [`shorten`].
    pub fn shorten(self, fence: &Fence, author: &Author, upto: Seq) -> Result<Option<Fence>, Fault> {
        self.refuse_older(fence, author, upto)?;
        let later = self.0.is_later(upto, fence.start);
        Ok(later.then_some(Fence { start: upto.next(), ..*fence }))
    }

    /// The first entry that a snapshot up to `upto` leaves where it is.
    pub fn first_that_stays(self, upto: Seq) -> Seq {
        self.0.first_that_stays(upto)
    }

    fn refuse_foreign(self, fence: &Fence, author: &Author) -> Result<(), Fault> {
        match self.0.is_our_founding(author.lineage, fence.lineage) {
            true => Ok(()),
            false => Err(Fault::Foreign(fence.lineage)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTHOR: Author = Author { lineage: Lineage(1), epoch: Epoch(7), run: Run(70) };
    const OURS: Holder = Holder { author: AUTHOR, opened: Seq(3) };

    fn fence(epoch: u64, run: u128, last: u64) -> Fence {
        let (lineage, epoch, run) = (Lineage(1), Epoch(epoch), Run(run));
        Fence { lineage, epoch, run, opened: Seq(3), last: Seq(last), start: Seq(1) }
    }

    #[test]
    fn an_append_is_stored_if_the_row_is_ours_and_has_come_so_far() {
        assert_eq!(settle(&fence(7, 70, 5), &OURS, Seq(5)), Ok(Settled::Stored));
        assert_eq!(settle(&fence(7, 70, 9), &OURS, Seq(5)), Ok(Settled::Stored));
        assert_eq!(settle(&fence(7, 70, 4), &OURS, Seq(5)), Ok(Settled::NotYet));
    }

    #[test]
    fn another_start_of_work_ends_it_in_the_same_epoch_too() {
        assert_eq!(settle(&fence(7, 71, 5), &OURS, Seq(5)), Err(Fault::Fenced(Epoch(7))));
        assert_eq!(settle(&fence(8, 80, 4), &OURS, Seq(5)), Err(Fault::Fenced(Epoch(8))));
    }

    #[test]
    fn an_opening_of_its_own_that_lands_late_is_not_taken_for_its_entry() {
        let late = open(Some(&fence(7, 70, 4)), &AUTHOR).unwrap();
        assert_eq!(late, Fence { opened: Seq(5), ..fence(7, 70, 5) });
        assert_eq!(settle(&late, &OURS, Seq(5)), Err(Fault::Fenced(Epoch(7))));
        assert_eq!(Rows(Rules::ALL).append(&late, &OURS, Seq(6)), None);
    }

    #[test]
    fn a_row_of_another_founding_is_left_alone() {
        let other = Fence { lineage: Lineage(2), ..fence(7, 70, 5) };
        assert_eq!(settle(&other, &OURS, Seq(5)), Err(Fault::Foreign(Lineage(2))));
        assert_eq!(open(Some(&other), &AUTHOR), Err(Fault::Foreign(Lineage(2))));
        assert_eq!(shorten(&other, &AUTHOR, Seq(5)), Err(Fault::Foreign(Lineage(2))));
    }

    #[test]
    fn a_journal_that_was_adopted_is_foreign_to_who_wrote_before_and_open_to_every_epoch() {
        let adopted = adopt(&fence(7, 70, 5), Lineage(2)).unwrap();
        let Fence { epoch, opened, last, start, .. } = adopted;
        assert_eq!((opened, last, start, epoch), (Seq(6), Seq(6), Seq(1), Epoch(0)));
        assert_eq!(settle(&adopted, &OURS, Seq(6)), Err(Fault::Foreign(Lineage(2))));
        let heir = Author { lineage: Lineage(2), epoch: Epoch(1), run: Run(1) };
        assert_eq!(open(Some(&adopted), &heir).map(|fence| fence.opened), Ok(Seq(7)));
        assert_eq!(adopt(&adopted, Lineage(2)), None);
    }

    #[test]
    fn a_higher_epoch_refuses_and_an_equal_one_does_not() {
        assert_eq!(open(Some(&fence(8, 80, 5)), &AUTHOR), Err(Fault::Fenced(Epoch(8))));
        assert_eq!(open(Some(&fence(7, 71, 5)), &AUTHOR), Ok(Fence { opened: Seq(6), ..fence(7, 70, 6) }));
        assert_eq!(open(None, &AUTHOR), Ok(Fence { opened: Seq(1), ..fence(7, 70, 1) }));
    }

    #[test]
    fn a_row_behind_what_was_acknowledged_was_restored() {
        assert_eq!(refuse_older(&fence(7, 70, 4), &AUTHOR, Seq(4)), Ok(()));
        let back = Err(Fault::WentBack { was: Seq(5), now: Seq(4) });
        assert_eq!(refuse_older(&fence(7, 70, 4), &AUTHOR, Seq(5)), back);
        assert_eq!(shorten(&fence(6, 60, 4), &AUTHOR, Seq(5)).map(|_| ()), back);
    }

    #[test]
    fn a_snapshot_moves_the_start_forward_only() {
        let row = Fence { start: Seq(4), ..fence(7, 70, 9) };
        assert_eq!(shorten(&row, &AUTHOR, Seq(3)), Ok(None));
        assert_eq!(shorten(&row, &AUTHOR, Seq(6)), Ok(Some(Fence { start: Seq(7), ..row })));
    }

    #[test]
    fn what_is_missing_is_named() {
        let row = Fence { start: Seq(4), ..fence(7, 70, 6) };
        let read = |seqs: &[u64]| refuse_gaps(&row, Seq(0), Some(Seq(3)), seqs.iter().copied().map(Seq));
        assert_eq!(read(&[4, 5, 6]), Ok(()));
        assert_eq!(read(&[4, 6]), Err(Fault::Damaged(Damage::EntryGone(Seq(5)))));
        assert_eq!(read(&[4, 5]), Err(Fault::Damaged(Damage::EntryGone(Seq(6)))));
        let tail = refuse_gaps(&row, Seq(6), Some(Seq(3)), [6].map(Seq).into_iter());
        assert_eq!(tail, Ok(()));
        let gone = refuse_gaps(&row, Seq(0), None, [4, 5, 6].map(Seq).into_iter());
        assert_eq!(gone, Err(Fault::Damaged(Damage::SnapshotGone(Seq(3)))));
    }
}
