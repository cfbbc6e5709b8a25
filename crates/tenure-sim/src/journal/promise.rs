//! What must hold after each step: V1–V7 of docs/journal.md.

/// A promise of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// V1: the history has no holes.
    NoHoles,
    /// V2: the live log is the history.
    LiveLog,
    /// V3: epochs and starts of work never go back along it.
    NeverBack,
    /// V4: the snapshot that the head names is there, and is the fold of what was before.
    TrueSnapshot,
    /// V5: what was acknowledged is in the history.
    Kept,
    /// V6: no record is in it twice.
    OnceOnly,
    /// V7: an owner's state is the fold of the history before its next number.
    TrueState,
    /// Left alone, nobody is told that something is damaged.
    NoFalseAlarm,
}
