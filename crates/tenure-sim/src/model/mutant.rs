//! Ways to break a rule, each with the promise that it must be caught breaking.
//!
//! A mutant that nobody catches is either a rule that is a second lock, and then says so here, or a hole in the model.

use super::scope::Scope;
use crate::promises::Promise::{
    self, ClosedHasNoLease as I4, EarlierEnded as I3, EpochsGrow as I2, LapsedNeverActs as I5, Settles as I6,
    SingleOwner as I1,
};

/// What becomes of a mutant in its scope.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// Each of these promises is broken, if it is the only one asserted; `spares` are not, in the whole scope.
    Killed {
        /// The broken promises; the first is the one that says most.
        breaks: &'static [Promise],
        /// Promises that hold in every state.
        spares: &'static [Promise],
    },
    /// Every promise holds in every state of the scope.
    Survives {
        /// Why.
        because: &'static str,
    },
}

const fn killed(breaks: &'static [Promise]) -> Fate {
    Fate::Killed { breaks, spares: &[] }
}

const fn only(breaks: &'static [Promise], spares: &'static [Promise]) -> Fate {
    Fate::Killed { breaks, spares }
}

const fn survives(because: &'static str) -> Fate {
    Fate::Survives { because }
}

macro_rules! mutants {
    ($($name:ident $code:literal $text:literal $scope:ident $fate:expr;)*) => {
        /// A rule that is broken.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Mutant {
            $(#[doc = $text] $name,)*
        }

        impl Mutant {
            /// Every mutant.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its short name.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What it does.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The scope in which it is judged.
            pub fn scope(self) -> Scope {
                match self { $(Self::$name => Scope::$scope,)* }
            }

            /// What must become of it there.
            pub fn fate(self) -> Fate {
                match self { $(Self::$name => $fate,)* }
            }
        }
    };
}

mutants! {
    FromReply "M01" "the lease counts from the reply" FAILOVER killed(&[I4, I1]);
    EventBeforeTime "M02" "a reply is taken before the clock" PAUSE only(&[I5], &[I1, I2, I3, I4]);
    DeposeAnyVersion "M03" "a stale observer deposes whatever version there is" MOVES killed(&[I4, I1]);
    SilenceCloses "M04" "silence closes without a write, to a stale observer" MOVES killed(&[I4, I1]);
    SilenceClosesFresh "M04b" "silence closes without a write, on a fresh read" PAUSE
        survives("a version that is silent on a fresh read was the last to count: its lease has ended, and L3 lets no later reply revive it");
    SilenceClosesNoTime "M04c" "silence closes on a fresh read, and a reply is taken before the clock" PAUSE killed(&[I4, I1]);
    HeirOverHeir "M05" "P4 over a living heir" THREE killed(&[I3, I1]);
    HeirWithoutEvidence "M06" "an heir acts without evidence" MOVES killed(&[I1]);
    AbsentCloses "M07" "an absent record closes at once" ORPHANS killed(&[I4, I1]);
    GoneWhileActing "M08" "gone is sent with the guard open" LEAVING killed(&[I4, I1]);
    GoneWhileIdle "M09" "gone is sent while idle, but not detached" LEAVING killed(&[I4, I1]);
    SameLifeAgain "M10" "a second life joins as the same incarnation" FAILOVER killed(&[I4, I1]);
    UnknownRenewal "M11" "a renewal without an answer counts as stored" FAILOVER killed(&[I4, I1]);
    UnknownJoin "M12" "a join without an answer counts as stored" TWINS killed(&[I4, I1]);
    UnknownPage "M13" "a P1 without an answer counts as stored" MOVES killed(&[I1]);
    BlindRenewal "M14" "a renewal lands whatever version there is" FAILOVER killed(&[I4]);
    BlindRenewalOtherLife "M14b" "the same, and any other incarnation in the record closes" FAILOVER killed(&[I4, I1]);
    BlindRenewalTwins "M14c" "the same as M14, with two processes of one id" TWINS killed(&[I4, I1]);
    BlindRenewalRemembered "M14d" "the same as M14, but a process never takes a term twice" LEASE
        survives("an old life's record in the place of a newer one says nothing of the newer (O3a), and no term comes back");
    ReleaseForgotten "M15" "a release is forgotten while the ledger still names its epoch" MOVES killed(&[I1]);
    ReleaseForgottenSettled "M15b" "a release is forgotten once the ledger has moved on; reads go back" MOVES killed(&[I1]);
    OwnerOverHeir "M16" "P1 while the heir has not ended" THREE killed(&[I1]);
    HeirOverOwner "M17" "P2 while the owner has not ended" MOVES killed(&[I1]);
    HeirById "M18" "a grant or an heirship counts for any life of the member" RESTART killed(&[I1]);
    OwnerById "M19" "an ownership counts for any life of the member" RESTART killed(&[I1]);
    SharedSeq "M20" "attempts share a seq" FAILOVER killed(&[I4, I1]);
    SeenAtRequest "M21" "first_seen is read when the request is sent" MOVES killed(&[I4, I1]);
    JoinOverLive "M22" "a join replaces a living record" RESTART killed(&[I4, I1]);
    ProofOfAnyLife "M23" "a proof of death is not tied to the incarnation" RESTART killed(&[I4, I1]);
    PageAnyVersion "M24" "a page is written whatever version it has" LATE_PAGES killed(&[I2, I1]);
    EpochFromEpoch "M25" "P1 gives epoch + 1" LATE_PAGES only(&[I2], &[I1, I3, I4, I5]);
    GrantBeforeClose "M26" "the grant is sent before the guard is closed" MOVES killed(&[I1]);
    GrantAnyEpoch "M27" "a grant counts for any epoch" MOVES killed(&[I3, I1]);
    ClosedById "M28" "closed is judged by the id" RESTART killed(&[I3, I1]);
    ReleasedByShard "M29" "released is matched by the shard alone" MOVES killed(&[I3, I1]);
    OtherLineCloses "M30" "a record of another line closes at once" ORPHANS killed(&[I4, I1]);
    MoveOverHeir "M31" "P3 over an heir" THREE killed(&[I3, I1]);
    OwnerOverOwner "M32" "P1 while the owner has not ended" MOVES killed(&[I3, I1]);
    CallOffForgetsTop "M33" "P5 forgets top" LATE_PAGES only(&[I2], &[I1, I3, I4, I5]);
    DriftBeyondMargin "M34" "a clock drifts by more than margin and slack allow" MOVES killed(&[I4, I1]);
    SuspendNotCounted "M35" "a clock stands still while its process is suspended" MOVES killed(&[I4, I1]);
    ObserverHurries "M36" "an observer waits for ttl − 1" MOVES killed(&[I4, I1]);
    OtherLifeClosesStale "M37" "any other incarnation in a record closes, on a stale read" RESTART killed(&[I4, I1]);
    OtherLifeClosesDeleted "M38" "any other incarnation closes, on a fresh read; a deletion and a join" ORPHANS killed(&[I4, I1]);
    OtherLifeCloses "M39" "any other incarnation closes, on a fresh read; no deletion" RESTART
        survives("without deletions an id has one line, and a fresh read shows its latest term: this is O3a in other words");
    PageCreatedAnew "M40" "an absent page is created anew" LATE_PAGES killed(&[I2]);
    AbsentBeforeSeen "M41" "an absence found before the incarnation was seen counts for O3b" ORPHANS killed(&[I4, I1]);
    GoesOnUntilTheEnd "M42" "a member whose record is not its own any more goes on until its lease ends" ORPHANS
        survives("nothing extends such a lease: to go on until it ends is no more than not having looked yet");
    SameLineAgain "M43" "a process keeps its line when it creates its record again" DELETION killed(&[I4, I5]);
    ReleasedBeforeClose "X1" "released is written before the guard is closed" MOVES killed(&[I1]);
    ReleaseCollectedEarly "N3" "a release leaves the record while the ledger names its epoch" HEALING killed(&[I6]);
    AbsentNeverCloses "N4" "a lost record never closes" HEALING killed(&[I6]);
    NoNewHeir "N5" "no P4" HEALING killed(&[I6]);
    NobodyDeposes "N7" "nobody deposes" HEALING killed(&[I6]);
    FormerLifeMustBeSilent "N8" "the own former life must be silent before a new one" LEASE
        survives("the process knows that its former life is over; waiting only costs time");
}

impl Mutant {
    /// Renewals without a version.
    pub const BLIND_RENEWAL: &'static [Self] = &[
        Self::BlindRenewal,
        Self::BlindRenewalOtherLife,
        Self::BlindRenewalTwins,
        Self::BlindRenewalRemembered,
    ];
    /// L3 dropped.
    pub const EVENT_BEFORE_TIME: &'static [Self] = &[Self::EventBeforeTime, Self::SilenceClosesNoTime];

    /// The mutant of this short name.
    pub fn by_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|mutant| mutant.code() == code)
    }
}
