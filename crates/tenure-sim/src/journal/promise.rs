//! What must hold after each step: V1–V7 of docs/journal.md.

/// A promise of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Left alone, nobody is told that something is damaged, or that another has opened when none has.
    NoFalseAlarm,
    /// What is damaged or went back is told, where it can be noticed.
    DamageTold,
    /// Left alone, the owner of the highest epoch comes to act.
    ComesToAct,
}

impl Promise {
    /// As the documents call it.
    pub fn letter(self) -> &'static str {
        match self {
            Self::NoHoles => "V1",
            Self::LiveLog => "V2",
            Self::NeverBack => "V3",
            Self::TrueSnapshot => "V4",
            Self::Kept => "V5",
            Self::OnceOnly => "V6",
            Self::TrueState => "V7",
            Self::NoFalseAlarm => "no false alarm",
            Self::DamageTold => "damage is told",
            Self::ComesToAct => "the last comes to act",
        }
    }
}
