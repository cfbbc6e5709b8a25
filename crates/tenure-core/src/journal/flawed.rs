//! The rules of a journal, and ways to break them one at a time, so that the search can prove that it would notice.

#[path = "rules.rs"]
#[expect(unreachable_pub, reason = "the same file is the shipped one, where it is public")]
mod sound;

use crate::ids::{Epoch, Lineage};

use super::author::{Author, Seq};
use super::head::SnapshotName;
use super::rows::Holder;

/// The rules, with at most one of them broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    flaw: Option<Flaw>,
}

macro_rules! flaws {
    ($($list:ident { $($name:ident $code:literal $text:literal,)* })*) => {
        /// A way to break a rule of the journal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Flaw {
            $($(#[doc = $text] $name,)*)*
        }

        impl Flaw {
            $(
                /// Every flaw of one mechanism.
                pub const $list: &[Self] = &[$(Self::$name,)*];
            )*

            /// The short name, as in docs/mutants.md.
            pub fn code(self) -> &'static str {
                match self { $($(Self::$name => $code,)*)* }
            }

            /// What the flaw does, in one line.
            pub fn text(self) -> &'static str {
                match self { $($(Self::$name => $text,)*)* }
            }
        }
    };
}

flaws! {
    OF_NAMES {
        FencesCollected "J01" "fences are removed as entries are",
        SilenceCounts "J02" "an append that was not answered counts as stored",
        ConflictCounts "J03" "an append that found its number taken counts as stored",
        OtherBytes "J04" "an append is tried again with other bytes",
        NoFence "J05" "who opens puts no fence",
        HeadNotAgain "J06" "who opens does not look at the head again",
        StartNotCompared "J07" "the second look at the head does not compare the start",
        FenceAfterStart "J08" "the second look is content with a fence that is not below the start",
        BetweenNotFolded "J09" "what came between the reading and the fence is left out",
        SeqSkipped "J10" "the first append leaves a number out",
        HeadWithoutEpoch "J11" "the head carries no epoch",
        EpochsUnread "J12" "the epochs of entries are not looked at",
        RemovedBeforeHead "J13" "entries are removed before the head is stored",
        RemovedAtStart "J14" "the entry at the start is removed too",
        HeadUnconditional "J16" "the head is replaced whatever its version",
        HeadTooEarly "J17" "the head names a snapshot that may not be stored",
        AllButTheNamed "J18" "all snapshots but the one that the head names are removed",
        RunsNotCompared "J19" "an entry of another start of work in the same epoch counts as ours",
    }
    OF_ROWS {
        LineageUnread "R01" "who opens does not look at the lineage",
        EpochUnread "R02" "who opens does not look at the epoch",
        EqualRefused "R03" "who opens gives way to its own epoch",
        FenceUnread "R04" "an append does not look at the number of its author's fence",
        HolderUnread "R05" "an append looks at the epoch only",
        ReadTooEarly "R06" "what is there is read before the row is taken",
        ReadInTwo "R07" "snapshot and entries are read at two moments",
        LastUnread "R08" "an append does not look at the last number",
        NoRowIsStored "R09" "an append that changed no row counts as stored",
        NoRowIsFenced "R10" "an append that changed no row is over, and the row is not read",
        FarIsStored "R11" "a row that has come so far says stored, whoever has it",
        RowSilenceCounts "R12" "an append that was not answered counts as stored",
        OtherRecords "R13" "an append is tried again with other records",
        BackUnnoticed "R14" "a row that is behind what was acknowledged is taken for slow",
        OlderSnapshot "R15" "a snapshot replaces a later one",
        RemovedAfter "R16" "the entry after the snapshot is removed too",
        ShortenedInTwo "R17" "the start is raised before the snapshot is stored",
    }
}

impl Rules {
    /// All of them, unbroken.
    pub const ALL: Self = Self { flaw: None };

    /// Rules of which one is broken.
    pub fn without(flaw: Flaw) -> Self {
        Self { flaw: Some(flaw) }
    }

    /// Whether it is this one that is broken; for what surrounds the machines.
    pub fn has(self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    pub(super) fn head_outranks(self, ours: Epoch, head: Epoch) -> bool {
        sound::Rules::ALL.head_outranks(ours, head)
    }

    pub(super) fn entry_outranks(self, ours: Epoch, theirs: Epoch) -> bool {
        !self.has(Flaw::EpochsUnread) && sound::Rules::ALL.entry_outranks(ours, theirs)
    }

    pub(super) fn puts_a_fence(self) -> bool {
        !self.has(Flaw::NoFence) && sound::Rules::ALL.puts_a_fence()
    }

    pub(super) fn folds_what_came_between(self) -> bool {
        !self.has(Flaw::BetweenNotFolded) && sound::Rules::ALL.folds_what_came_between()
    }

    pub(super) fn looks_at_the_head_again(self) -> bool {
        !self.has(Flaw::HeadNotAgain) && sound::Rules::ALL.looks_at_the_head_again()
    }

    pub(super) fn is_unmoved(self, seen: Seq, now: Seq, fence: Seq) -> bool {
        match self.flaw {
            Some(Flaw::StartNotCompared) => true,
            Some(Flaw::FenceAfterStart) => fence >= now,
            _ => sound::Rules::ALL.is_unmoved(seen, now, fence),
        }
    }

    pub(super) fn first_after(self, fence: Seq) -> Seq {
        let next = sound::Rules::ALL.first_after(fence);
        if self.has(Flaw::SeqSkipped) { next.next() } else { next }
    }

    pub(super) fn conflict_counts(self) -> bool {
        self.has(Flaw::ConflictCounts) || sound::Rules::ALL.conflict_counts()
    }

    pub(super) fn silence_counts(self) -> bool {
        self.has(Flaw::SilenceCounts) || sound::Rules::ALL.silence_counts()
    }

    pub(super) fn is_same_attempt(self, equal: bool, ours: &Author, theirs: &Author) -> bool {
        self.has(Flaw::RunsNotCompared) && ours.epoch == theirs.epoch
            || sound::Rules::ALL.is_same_attempt(equal, ours, theirs)
    }

    pub(super) fn epoch_of_head(self, highest: Epoch) -> Epoch {
        if self.has(Flaw::HeadWithoutEpoch) { Epoch(0) } else { sound::Rules::ALL.epoch_of_head(highest) }
    }

    pub(super) fn condition<V>(self, seen: V) -> Option<V> {
        sound::Rules::ALL.condition(seen).filter(|_| !self.has(Flaw::HeadUnconditional))
    }

    pub(super) fn head_waits_for_the_snapshot(self) -> bool {
        !self.has(Flaw::HeadTooEarly) && sound::Rules::ALL.head_waits_for_the_snapshot()
    }

    pub(super) fn removes_after_the_head(self) -> bool {
        !self.has(Flaw::RemovedBeforeHead) && sound::Rules::ALL.removes_after_the_head()
    }

    pub(super) fn may_remove(self, seq: Seq, start: Seq, is_fence: bool) -> bool {
        match self.flaw {
            Some(Flaw::FencesCollected) => sound::Rules::ALL.may_remove(seq, start, false),
            Some(Flaw::RemovedAtStart) => seq == start || sound::Rules::ALL.may_remove(seq, start, is_fence),
            _ => sound::Rules::ALL.may_remove(seq, start, is_fence),
        }
    }

    pub(super) fn may_remove_snapshot(self, name: SnapshotName, named: SnapshotName) -> bool {
        match self.flaw {
            Some(Flaw::AllButTheNamed) => name != named,
            _ => sound::Rules::ALL.may_remove_snapshot(name, named),
        }
    }

    pub(super) fn is_our_founding(self, ours: Lineage, theirs: Lineage) -> bool {
        self.has(Flaw::LineageUnread) || sound::Rules::ALL.is_our_founding(ours, theirs)
    }

    pub(super) fn row_outranks(self, ours: Epoch, theirs: Epoch) -> bool {
        match self.flaw {
            Some(Flaw::EpochUnread) => false,
            Some(Flaw::EqualRefused) => theirs >= ours,
            _ => sound::Rules::ALL.row_outranks(ours, theirs),
        }
    }

    pub(super) fn is_ours(self, ours: &Holder, theirs: &Holder) -> bool {
        match self.flaw {
            Some(Flaw::FenceUnread) => ours.author == theirs.author,
            Some(Flaw::HolderUnread) => ours.author.epoch == theirs.author.epoch,
            _ => sound::Rules::ALL.is_ours(ours, theirs),
        }
    }

    pub(super) fn follows(self, last: Seq, seq: Seq) -> bool {
        self.has(Flaw::LastUnread) || sound::Rules::ALL.follows(last, seq)
    }

    pub(super) fn is_stored(self, is_ours: bool, last: Seq, seq: Seq) -> bool {
        sound::Rules::ALL.is_stored(is_ours || self.has(Flaw::FarIsStored), last, seq)
    }

    pub(super) fn went_back(self, last: Seq, known: Seq) -> bool {
        !self.has(Flaw::BackUnnoticed) && sound::Rules::ALL.went_back(last, known)
    }

    pub(super) fn is_later(self, upto: Seq, start: Seq) -> bool {
        self.has(Flaw::OlderSnapshot) || sound::Rules::ALL.is_later(upto, start)
    }

    pub(super) fn first_that_stays(self, upto: Seq) -> Seq {
        let first = sound::Rules::ALL.first_that_stays(upto);
        if self.has(Flaw::RemovedAfter) { first.next() } else { first }
    }
}
