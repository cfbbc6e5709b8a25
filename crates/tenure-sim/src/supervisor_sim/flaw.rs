//! The rules of the helpers, broken one at a time.

/// A rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelperFlaw {
    /// A free lock proves a death without anybody's word.
    LockAlone,
    /// The last word is written before everything was swept.
    EarlyWord,
    /// The reaper sets no timer.
    NoGuard,
    /// Nobody asks for the guard before something begins.
    GuardNotAsked,
    /// The reaper takes it that nothing runs.
    BlindReaper,
    /// What ran under an earlier lease goes on under the next.
    LivesNotTold,
    /// The member looks at no pulse.
    NoPulse,
    /// The warden outlives its reaper.
    NoDeathSignal,
    /// An end is told when the first process of a run has ended.
    EarlyEnd,
    /// There is no namespace, and all that a namespace is for is asked of it.
    NoNamespace,
    /// The reaper kills the warden, and nothing below it.
    WardenAlone,
}

impl HelperFlaw {
    /// Every flaw.
    pub const ALL: [Self; 11] = [
        Self::LockAlone,
        Self::EarlyWord,
        Self::NoGuard,
        Self::GuardNotAsked,
        Self::BlindReaper,
        Self::LivesNotTold,
        Self::NoPulse,
        Self::NoDeathSignal,
        Self::EarlyEnd,
        Self::NoNamespace,
        Self::WardenAlone,
    ];

    /// The short name, as in docs/mutants.md.
    pub fn code(self) -> &'static str {
        match self {
            Self::LockAlone => "H01",
            Self::EarlyWord => "H02",
            Self::NoGuard => "H03",
            Self::GuardNotAsked => "H04",
            Self::BlindReaper => "H05",
            Self::LivesNotTold => "H06",
            Self::NoPulse => "H07",
            Self::NoDeathSignal => "H08",
            Self::EarlyEnd => "H09",
            Self::NoNamespace => "H10",
            Self::WardenAlone => "H11",
        }
    }

    /// The flaw with this short name.
    pub fn by_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flaw| flaw.code().eq_ignore_ascii_case(code))
    }

    /// What it does, in one line.
    pub fn text(self) -> &'static str {
        match self {
            Self::LockAlone => "a free lock proves a death without anybody's word",
            Self::EarlyWord => "the last word is written before everything was swept",
            Self::NoGuard => "the reaper sets no timer",
            Self::GuardNotAsked => "nobody asks for the guard before something begins",
            Self::BlindReaper => "the reaper takes it that nothing runs",
            Self::LivesNotTold => "what ran under an earlier lease goes on under the next",
            Self::NoPulse => "the member looks at no pulse",
            Self::NoDeathSignal => "the warden outlives its reaper",
            Self::EarlyEnd => "an end is told when the first process of a run has ended",
            Self::NoNamespace => "there is no namespace, and all that a namespace is for is asked of it",
            Self::WardenAlone => "the reaper kills the warden, and nothing below it",
        }
    }
}
