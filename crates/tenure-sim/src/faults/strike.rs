//! Faults that strike at a moment, as against those that befall single calls.

/// One kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strike {
    /// A process stands still for less than a lease.
    Pause,
    /// A process stands still for longer than a lease.
    LongPause,
    /// A process dies.
    Crash,
    /// A process dies and its member starts again at once.
    Bounce,
    /// A second process of a running member starts.
    Twin,
    /// A member that is not running starts.
    Start,
    /// The store is away, for everybody.
    Outage,
    /// The store is away for one process.
    Cut,
    /// A member is asked to leave.
    Leave,
    /// A leaving member is asked to hurry.
    Hurry,
    /// The operator deletes a member record.
    DeleteRecord,
    /// The operator asks a member to hand its shards on, or no longer, by changing its record.
    DrainRecord,
    /// The operator writes nonsense over a member record.
    SpoilRecord,
    /// The store forgets: a living member's record is as it was some renewals ago.
    RewindRecord,
    /// Somebody writes into a record that an epoch has ended which another life of that member holds.
    StrangeRelease,
    /// The operator writes nonsense over a page or meta.
    SpoilPage,
    /// The operator deletes a page.
    DeletePage,
    /// The driver of a process finds that its clock can't be trusted.
    ClockFault,
    /// A witness tells, once more, of a process that died.
    TellDeath,
    /// A hint that nothing stands behind.
    StrayHint,
    /// Work ends by itself.
    WorkEnds,
    /// Somebody else changes who should own what, where the placement is external.
    Want,
    /// The operator moves a shard.
    Move,
    /// The operator takes a move back.
    TakeBack,
    /// The operator fences a member.
    Fence,
}

impl Strike {
    /// Whether it damages what is stored.
    pub(crate) fn is_damage(self) -> bool {
        matches!(
            self,
            Self::DeleteRecord
                | Self::SpoilRecord
                | Self::RewindRecord
                | Self::StrangeRelease
                | Self::SpoilPage
                | Self::DeletePage
        )
    }

    /// Whether it is something that an operator asks for.
    pub(crate) fn is_order(self) -> bool {
        matches!(self, Self::DrainRecord | Self::Move | Self::TakeBack | Self::Fence)
    }

    /// Every kind, with the weight that it has where nothing else is said.
    pub(crate) const ALL: [(Self, u32); 25] = [
        (Self::Pause, 10),
        (Self::LongPause, 8),
        (Self::Crash, 6),
        (Self::Bounce, 8),
        (Self::Twin, 5),
        (Self::Start, 12),
        (Self::Outage, 4),
        (Self::Cut, 8),
        (Self::Leave, 5),
        (Self::Hurry, 3),
        (Self::DeleteRecord, 4),
        (Self::DrainRecord, 4),
        (Self::SpoilRecord, 2),
        (Self::RewindRecord, 2),
        (Self::StrangeRelease, 4),
        (Self::SpoilPage, 1),
        (Self::DeletePage, 1),
        (Self::ClockFault, 2),
        (Self::TellDeath, 6),
        (Self::StrayHint, 6),
        (Self::WorkEnds, 4),
        (Self::Want, 4),
        (Self::Move, 6),
        (Self::TakeBack, 4),
        (Self::Fence, 3),
    ];
}
