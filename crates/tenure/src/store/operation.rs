//! The four calls of a store, as values: for messages, figures and faults.

use std::fmt;

/// One of the calls that a store answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// A linearizable read.
    Get,
    /// A conditional write.
    Put,
    /// A conditional removal.
    Delete,
    /// A listing, which may be old.
    List,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Get, Self::Put, Self::Delete, Self::List];

    /// Its name in messages and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Put => "put",
            Self::Delete => "delete",
            Self::List => "list",
        }
    }

    /// Whether it can change anything: the outcome of such a call, once it was sent, is unknown until it is answered.
    pub const fn writes(self) -> bool {
        match self {
            Self::Put | Self::Delete => true,
            Self::Get | Self::List => false,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
