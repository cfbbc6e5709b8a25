//! What operators did: the audit log's lines, the event `deed`, and the answers to those who act.

use std::fmt;

use serde::Serialize;

/// One thing that somebody did, or tried to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deed {
    /// When.
    pub at_ms: u64,
    /// Who: the name of a token.
    pub who: String,
    /// What.
    #[serde(flatten)]
    pub what: DeedKind,
    /// Why, in the words of whoever did it.
    pub why: String,
    /// Null if it was done; else why it was not.
    pub refused: Option<String>,
}

/// What can be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "deed", rename_all = "lowercase")]
pub enum DeedKind {
    /// A member hands its shards on.
    Drain {
        /// Who.
        member: String,
    },
    /// It gets shards again.
    Undrain {
        /// Who.
        member: String,
    },
    /// Its lease is taken away.
    Fence {
        /// Who.
        member: String,
        /// Whether it may have shards again when it comes back.
        let_return: bool,
    },
    /// Something is written down about it, or struck out.
    Note {
        /// Of whom.
        member: String,
        /// What; empty if it was struck out.
        text: String,
    },
    /// A shard is moved.
    Move {
        /// Which.
        shard: u32,
        /// To whom.
        to: String,
    },
    /// Something is done to a process of a playground.
    Play {
        /// To whom; null if a new member is started.
        member: Option<String>,
        /// `kill`, `freeze`, `thaw`, `cut`, `mend`, `stop` or `start`.
        blow: &'static str,
    },
}

impl fmt::Display for DeedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drain { member } => write!(f, "drain {member}"),
            Self::Undrain { member } => write!(f, "drain {member} --undo"),
            Self::Fence { member, let_return: false } => write!(f, "fence {member}"),
            Self::Fence { member, let_return: true } => write!(f, "fence {member} --let-return"),
            Self::Note { member, .. } => write!(f, "note {member}"),
            Self::Move { shard, to } => write!(f, "move {shard} --to {to}"),
            Self::Play { member: Some(member), blow } => write!(f, "{blow} {member}"),
            Self::Play { member: None, blow } => f.write_str(blow),
        }
    }
}

/// The answer to whoever acted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Acted {
    /// What came of it, in words.
    pub done: String,
    /// Whether anything changed: false if it was so already.
    pub changed: bool,
}
