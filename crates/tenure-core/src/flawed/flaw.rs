//! The list of seeded bugs. docs/mutants.md says who notices each.

macro_rules! flaws {
    ($($name:ident $code:literal $text:literal,)*) => {
        /// A way to break the protocol.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Flaw {
            $(#[doc = $text] $name,)*
        }

        impl Flaw {
            /// Every flaw.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The short name, as in docs/mutants.md.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What the flaw does, in one line.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

flaws! {
    ValidFromReply "M01" "the lease counts from the reply, not from the sending",
    EventBeforeTime "M02" "a reply is taken before the clock: a late Stored revives a dead lease",
    DeposeAnyVersion "M03" "a member is deposed whatever version its record has",
    SilenceCloses "M04" "silence closes a member without a write",
    HeirOverLiveHeir "M05" "an heir that has not ended is replaced",
    HeirActsWithoutEvidence "M06" "an heir acts as soon as it is named",
    AbsentCloses "M07" "a record that is absent once closes its life",
    GoneWithOpenGuard "M08" "gone is sent while guards are open",
    RejoinSameLife "M10" "a lapsed member joins again under the same incarnation",
    UnknownRenewalCounts "M11" "a renewal whose outcome is unknown extends the lease",
    UnknownJoinCounts "M12" "a join whose outcome is unknown counts as joined",
    UnknownPageCounts "M13" "a page write whose outcome is unknown counts as landed",
    RenewAnyVersion "M14" "a renewal lands whatever version the record has",
    ReleaseForgottenEarly "M15" "a release is forgotten, in the record and in memory, before the ledger has moved on",
    ReleaseNotRemembered "M15b" "a release is remembered in the record only",
    OwnerOverLiveHeir "M16" "an owner is named while an heir has not ended",
    HeirOwnsOverLiveOwner "M17" "an heir becomes owner while the owner has not ended",
    GrantById "M18" "a grant or an heirship counts for any life of the member",
    OwnershipById "M19" "an entry in the ledger counts for any life of the member",
    SharedSeq "M20" "attempts share one seq",
    SeenAtRequest "M21" "first_seen is read when the request is sent",
    JoinOverLive "M22" "a join replaces a living record at once",
    ProofOfAnyLife "M23" "a proof of death closes whatever life the record shows now",
    PageAnyVersion "M24" "a page is written whatever version it has",
    EpochFromEpoch "M25" "a new owner gets epoch + 1, not top + 1",
    GrantBeforeClose "M26" "the grant is sent before the guard is closed",
    GrantAnyEpoch "M27" "a grant counts for any epoch",
    ClosedById "M28" "closed is judged by the member's id",
    ReleasedByShard "M29" "released is matched by shard, whatever the epoch",
    OtherLineCloses "M30" "a record of another line closes at once",
    OwnerOverLiveOwner "M32" "an owner is named while the owner has not ended",
    CalledOffForgetsTop "M33" "a move that is called off lowers top",
    NoMargin "M34" "the lease has no margin and no room for drift",
    ObserverHurries "M36" "an observer waits less than the lease",
    PageRecreated "M40" "an absent page is created anew after the cluster was ready",
    JoinWaitsOwnTtl "M44" "a join waits for its own ttl, not for the record's",
    ReleaseOfAnyLife "M45" "a release counts for any life of the member",
    SeqGoesBack "M46" "a member whose own seq went back goes on",
    ReleasedNeverWritten "N3" "a release is never written, and its author does not act on it either",
    AbsentNeverCloses "N4" "a life whose record was deleted is never closed",
    NoNewHeir "N5" "an ended heir is never replaced",
    NobodyDeposes "N7" "nobody deposes the silent",
    FormingIsReady "N9" "a cluster that is forming is taken for ready",
    ReadyBeforePages "N10" "a cluster is set to ready before its pages are there",
    ReleaseWhileWorking "X1" "released is written before the work has ended",
    MembersBeforePages "X2" "members are read before the pages that they are to explain",
    JoinCountsEarly "X3" "a planner counts its own join before it is known to have landed",
    LapseDrains "X4" "a lapse lets the work finish, with its guards open until then",
    RejoinWhileWorking "X5" "a lapsed member joins again while work of its former life goes on",
    GapCounts "X6" "silence is counted through a gap in the watching",
    OwnFailureIgnored "X7" "silence is counted though one's own renewals fail",
    CollectedEarly "X8" "a closed record is removed at once, though pages name its lives",
    PlanByPlanner "X9" "each planner hashes its own name into the plan",
    NoStagger "X10" "nobody waits for its turn to take a forced step",
    EverybodyBalances "X11" "nobody waits for its turn to move shards for balance",
    NoDebounce "X12" "shards are moved before the members have settled",
    FirstPlanHasty "X13" "the first plan does not wait until the members have settled",
    HeirsNotCounted "X14" "an heir is not counted as having arrived",
    WorthNotAsked "X15" "a planned move is made without asking whether it improves the balance",
    NoRest "X16" "a shard that has just changed is moved again at once",
    BudgetIgnored "X17" "any number of shards is moved at once",
    GivenToLeaving "X18" "shards are given to members that leave",
    GivenToUnseen "X19" "shards are given to members that were not seen renewed of late",
    FormerForgotten "X20" "whoever held a shard before is not preferred",
    RecalledStaysFinished "X21" "work that finished for a move which was called off is not started again",
    NeverResumes "X22" "an owner does not go on when its heir ends",
    HeirDoesNotDecline "X23" "an heir that leaves does not give its epoch back",
    HeirReleaseForgotten "X24" "an heir's release is forgotten while the ledger still names it",
    DrainedForgotten "X25" "a member that joins again forgets that it is drained",
    LostCountsActive "X26" "a life that was missing for so long that it is closed counts as active",
    RecoverWindowKept "X27" "a lapse does not begin the wait for a healthy store anew",
    DrainedKeepsAll "X28" "an owner that is drained hands nothing on",
    ReturnedToFailed "X29" "a shard is given back to the member that could not start it",
    OverruledGoesOn "X40" "an owner that the ledger names no more goes on",
    RumourBelieved "X41" "what anybody says of a member's record counts as read",
    FirstSightRenews "X42" "a member that is seen for the first time counts as renewed",
    JoinAbandoned "X43" "whoever is told to stop while its join is under way ends at once",
    RepeatedIsSilent "X44" "a record that was written anew, and says the same, is silent since it was first seen",
    GivesBackBegun "X45" "an heir that is asked gives back a shard that it has begun to work for",
    LineageIgnored "X46" "a member whose cluster got another lineage goes on with what it knew",
    RecoverySlept "X47" "a member that joins again does not ask whether its cluster was recovered meanwhile",
    SpentGoesOn "X60" "a shard that has had its last epoch is given another one",
}
