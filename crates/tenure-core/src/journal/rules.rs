//! The rules of a journal on names and on rows, each by itself.

use crate::ids::{Epoch, Lineage};

use crate::journal::author::{Author, Seq};
use crate::journal::head::SnapshotName;
use crate::journal::rows::Holder;

/// The rules as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules;

impl Rules {
    /// All of them.
    pub const ALL: Self = Self;

    /// J2a: who opens gives way to a head of a higher epoch: its fence may be truncated.
    pub(super) fn head_outranks(self, ours: Epoch, head: Epoch) -> bool {
        head > ours
    }

    /// J2c: who opens gives way to an entry of a higher epoch.
    pub(super) fn entry_outranks(self, ours: Epoch, theirs: Epoch) -> bool {
        theirs > ours
    }

    /// J2d: who opens puts a fence after what it read.
    pub(super) fn puts_a_fence(self) -> bool {
        true
    }

    /// J2d: what came between the reading and the fence belongs to the history.
    pub(super) fn folds_what_came_between(self) -> bool {
        true
    }

    /// J2e: who opens looks at the head again.
    pub(super) fn looks_at_the_head_again(self) -> bool {
        true
    }

    /// J2e: the start that was seen at first must be the start now, wherever the fence is.
    pub(super) fn is_unmoved(self, seen: Seq, now: Seq, _fence: Seq) -> bool {
        seen == now
    }

    /// J1: numbers have no gap.
    pub(super) fn first_after(self, fence: Seq) -> Seq {
        fence.next()
    }

    /// J3: a number that is taken says nothing about who took it.
    pub(super) fn conflict_counts(self) -> bool {
        false
    }

    /// J3: an answer that never came says nothing.
    pub(super) fn silence_counts(self) -> bool {
        false
    }

    /// J3: an entry is ours if it is the very one that we sent.
    pub(super) fn is_same_attempt(self, equal: bool, _ours: &Author, _theirs: &Author) -> bool {
        equal
    }

    /// J4: the head carries the highest epoch of the entries that it leaves behind.
    pub(super) fn epoch_of_head(self, highest: Epoch) -> Epoch {
        highest
    }

    /// J4: the head is replaced only as it was last seen.
    pub(super) fn condition<V>(self, seen: V) -> Option<V> {
        Some(seen)
    }

    /// J4: a head names only a snapshot that is known to be stored.
    pub(super) fn head_waits_for_the_snapshot(self) -> bool {
        true
    }

    /// J5: nothing is removed before the head is known to be stored.
    pub(super) fn removes_after_the_head(self) -> bool {
        true
    }

    /// J5, J6: an entry before the start may be removed, a fence never.
    pub(super) fn may_remove(self, seq: Seq, start: Seq, is_fence: bool) -> bool {
        seq < start && !is_fence
    }

    /// J5: a snapshot may be removed if it is older than the one that the head names. One that is not may be named next.
    pub(super) fn may_remove_snapshot(self, name: SnapshotName, named: SnapshotName) -> bool {
        name.upto < named.upto
    }

    /// Rows: a row of another founding is left alone.
    pub(super) fn is_our_founding(self, ours: Lineage, theirs: Lineage) -> bool {
        ours == theirs
    }

    /// Rows: who opens gives way to a row of a higher epoch, and to no other.
    pub(super) fn row_outranks(self, ours: Epoch, theirs: Epoch) -> bool {
        theirs > ours
    }

    /// Rows: a row is ours if it is of this very opening: the same start of work, and the same fence.
    pub(super) fn is_ours(self, ours: &Holder, theirs: &Holder) -> bool {
        ours == theirs
    }

    /// Rows: an entry is stored only after the one before it.
    pub(super) fn follows(self, last: Seq, seq: Seq) -> bool {
        last.next() == seq
    }

    /// Rows: in a row that is ours all numbers up to the last are stored, in a row of others none need be.
    pub(super) fn is_stored(self, is_ours: bool, last: Seq, seq: Seq) -> bool {
        is_ours && last >= seq
    }

    /// Rows: a row that is behind what its author knows to be stored went back.
    pub(super) fn went_back(self, last: Seq, known: Seq) -> bool {
        last < known
    }

    /// Rows: a snapshot never replaces a later one.
    pub(super) fn is_later(self, upto: Seq, start: Seq) -> bool {
        upto >= start
    }

    /// Rows: the first entry that stays.
    pub(super) fn first_that_stays(self, upto: Seq) -> Seq {
        upto.next()
    }
}
