//! What can be wrong with a store that looks fine.

/// A flaw of a bad store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Nothing is wrong.
    None,
    /// One write in a thousand is said to be stored, and is not.
    WriteLost,
    /// A write is said to be stored a moment before it is.
    WriteLate,
    /// One read in two hundred shows what was there before.
    ReadOld,
    /// One read in a hundred comes from what this very handle knew last.
    ReadCached,
    /// One read in fifty that names a version is told that nothing has changed.
    UnchangedRarely,
    /// Whoever names the last version of a removed record is told that nothing has changed.
    UnchangedThoughRemoved,
    /// One write in a hundred lands, and is said not to have happened.
    UnavailableThoughLanded,
    /// One write in a hundred lands, and is said to have met a conflict.
    ConflictThoughLanded,
    /// The version is checked, and then whatever is there is removed.
    RemovalInTwoSteps,
    /// The version is checked, and then whatever is there is replaced.
    ReplacementInTwoSteps,
    /// A listing ends after a hundred keys.
    ListCut,
    /// A listing comes in pages by number, so that a removal in between lets a key slip through.
    ListSlips,
    /// A listing shows the version of now with the content of before, one time in ten.
    ListMixes,
    /// A watch says nothing more after three hints.
    WatchDies,
}
