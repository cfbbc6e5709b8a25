//! What operators did: the audit log's lines, the event `deed`, and the answers to those who act.

use std::fmt;

use serde::Serialize;

use crate::Blow;

/// One thing that somebody did, or tried to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Deed {
    /// Tells it from all others, in the store too.
    pub id: String,
    /// When.
    pub at_ms: u64,
    /// Who: the name of a token, or of the user of the command line.
    pub who: String,
    /// By which way: `dashboard`, `command line`, or what else wrote it down in the store.
    pub by: String,
    /// What.
    #[serde(flatten)]
    pub what: DeedKind,
    /// Why, in that person's words.
    pub why: String,
    /// Null if it was done; else why it was not.
    pub refused: Option<String>,
}

/// What can be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "deed", rename_all = "lowercase")]
#[non_exhaustive]
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
    /// A move is taken back.
    Cancel {
        /// Of which shard.
        shard: u32,
    },
    /// Something that this dashboard can't do itself, as it would be typed.
    Other {
        /// What.
        what: String,
    },
    /// Something is done to a process of a playground.
    Play {
        /// To whom; null if a new member is started.
        member: Option<String>,
        /// What.
        blow: Blow,
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
            Self::Cancel { shard } => write!(f, "move {shard} --cancel"),
            Self::Other { what } => f.write_str(what),
            Self::Play { member: Some(member), blow } => write!(f, "{} {member}", blow.name()),
            Self::Play { member: None, blow } => f.write_str(blow.name()),
        }
    }
}

impl From<&str> for DeedKind {
    /// What was typed, as [`DeedKind`] spells it.
    fn from(what: &str) -> Self {
        let words: Vec<&str> = what.split(' ').collect();
        let owned = |text: &&str| (**text).to_owned();
        match words.as_slice() {
            ["drain", member] => Self::Drain { member: owned(member) },
            ["drain", member, "--undo"] => Self::Undrain { member: owned(member) },
            ["fence", member] => Self::Fence { member: owned(member), let_return: false },
            ["fence", member, "--let-return"] => Self::Fence { member: owned(member), let_return: true },
            ["move", shard, "--to", to] if shard.parse::<u32>().is_ok() => {
                Self::Move { shard: shard.parse().unwrap_or_default(), to: owned(to) }
            }
            ["move", shard, "--cancel"] if shard.parse::<u32>().is_ok() => {
                Self::Cancel { shard: shard.parse().unwrap_or_default() }
            }
            _ => Self::Other { what: what.to_owned() },
        }
    }
}

/// The answer to an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Acted {
    /// What came of it, in words.
    pub done: String,
    /// Whether anything changed: false if it was so already.
    pub changed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_is_understood_as_it_is_spelled() {
        let typed = [
            "drain a",
            "drain a --undo",
            "fence a",
            "fence a --let-return",
            "move 7 --to b",
            "move 7 --cancel",
        ];
        for what in typed {
            assert_eq!(DeedKind::from(what).to_string(), what);
            assert!(!matches!(DeedKind::from(what), DeedKind::Other { .. }), "{what}");
        }
        let other = DeedKind::from("store recover");
        assert_eq!(other, DeedKind::Other { what: "store recover".into() });
    }
}
