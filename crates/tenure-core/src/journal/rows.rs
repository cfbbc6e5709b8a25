//! A journal on a store that can change a row on a condition: SQLite, PostgreSQL.
//!
//! One row for each shard, the *fence*, says who may write and how far the journal has come. Every append changes that row, on the
//! condition that it is still its own and still at the entry before. So of two writers one comes first, and the other finds the
//! condition broken and writes nothing:
//!
//! ```text
//!  open     fence: epoch ≤ ours → epoch, run := ours; last := last + 1      and an entry, the fence, under that number
//!  append   fence: epoch, run are ours, last = seq − 1 → last := seq        and the entry, in the same statement
//!  adopt    fence: as it was seen → another lineage, no epoch; last + 1     and an entry, the adoption, under that number
//! ```
//! An append whose answer never came may land later. It is settled by looking at the row, and by sending the same again: the
//! condition lets only one of both in.

use crate::ids::{Epoch, Lineage};

use super::author::{Author, Run, Seq};
use super::fault::Fault;

/// The row that says who may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fence {
    /// The cluster's founding.
    pub lineage: Lineage,
    /// Who opened the journal last.
    pub epoch: Epoch,
    /// In which start of work.
    pub run: Run,
    /// The number of the last entry.
    pub last: Seq,
    /// The first entry that no snapshot contains.
    pub start: Seq,
}

/// What an append whose outcome is not known has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Settled {
    /// It is stored.
    Stored,
    /// It is not there, and may still come: send the very same again.
    NotYet,
}

/// What became of `author`'s append under `seq`, judged by the row as it is now.
pub fn settle(fence: &Fence, author: &Author, seq: Seq) -> Result<Settled, Fault> {
    refuse_foreign(fence, author)?;
    if (fence.epoch, fence.run) != (author.epoch, author.run) {
        return Err(Fault::Fenced(fence.epoch));
    }
    // Numbers up to the last were all written by us since we opened: `seq` comes after our fence.
    Ok(if fence.last >= seq { Settled::Stored } else { Settled::NotYet })
}

/// The same where an opening may land late: there the row says too under which number its author opened. One that was given up for
/// lost and landed after all has the same author, but not all entries since ours are ours.
pub fn settle_opened(
    fence: &Fence,
    now_opened: Seq,
    author: &Author,
    opened: Seq,
    seq: Seq,
) -> Result<Settled, Fault> {
    let settled = settle(fence, author, seq)?;
    if now_opened == opened { Ok(settled) } else { Err(Fault::Fenced(fence.epoch)) }
}

/// Why `author` could not open: the row is as it is, and the condition of opening did not hold.
pub fn refusal(fence: &Fence, author: &Author) -> Result<(), Fault> {
    refuse_foreign(fence, author)?;
    match fence.epoch > author.epoch {
        true => Err(Fault::Fenced(fence.epoch)),
        false => Ok(()),
    }
}

/// The row after `lineage` has taken the journal over, and the entry that says so is under its last number; `None` if the journal is of
/// that lineage already. Every epoch comes after it, and whoever wrote before is refused as foreign.
pub fn adopt(fence: &Fence, lineage: Lineage) -> Option<Fence> {
    let Author { lineage, epoch, run } = Author::adopting(lineage);
    let adopted = Fence { lineage, epoch, run, last: fence.last.next(), start: fence.start };
    (fence.lineage != lineage).then_some(adopted)
}

fn refuse_foreign(fence: &Fence, author: &Author) -> Result<(), Fault> {
    if fence.lineage == author.lineage { Ok(()) } else { Err(Fault::Foreign(fence.lineage)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: Author = Author { lineage: Lineage(1), epoch: Epoch(7), run: Run(70) };

    fn fence(epoch: u64, run: u128, last: u64) -> Fence {
        Fence { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(run), last: Seq(last), start: Seq(1) }
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
    fn an_opening_of_ours_that_landed_late_ends_it_too() {
        let row = fence(7, 70, 9);
        assert_eq!(settle_opened(&row, Seq(4), &OURS, Seq(4), Seq(9)), Ok(Settled::Stored));
        // Another author was in between, and then our own second opening under 9: nobody knows whose the entry 6 is.
        assert_eq!(settle_opened(&row, Seq(9), &OURS, Seq(4), Seq(6)), Err(Fault::Fenced(Epoch(7))));
    }

    #[test]
    fn a_row_of_another_founding_is_left_alone() {
        let other = Fence { lineage: Lineage(2), ..fence(7, 70, 5) };
        assert_eq!(settle(&other, &OURS, Seq(5)), Err(Fault::Foreign(Lineage(2))));
        assert_eq!(refusal(&other, &OURS), Err(Fault::Foreign(Lineage(2))));
    }

    #[test]
    fn a_journal_that_was_adopted_is_foreign_to_who_wrote_before_and_open_to_every_epoch() {
        let adopted = adopt(&fence(7, 70, 5), Lineage(2)).unwrap();
        assert_eq!((adopted.last, adopted.start, adopted.epoch), (Seq(6), Seq(1), Epoch(0)));
        assert_eq!(settle(&adopted, &OURS, Seq(6)), Err(Fault::Foreign(Lineage(2))));
        assert_eq!(refusal(&adopted, &Author { lineage: Lineage(2), epoch: Epoch(1), run: Run(1) }), Ok(()));
        assert_eq!(adopt(&adopted, Lineage(2)), None);
    }

    #[test]
    fn a_higher_epoch_refuses_and_an_equal_one_does_not() {
        assert_eq!(refusal(&fence(8, 80, 5), &OURS), Err(Fault::Fenced(Epoch(8))));
        assert_eq!(refusal(&fence(7, 71, 5), &OURS), Ok(()));
    }
}
