//! One call to a journal, as layers see it.

use std::any::Any;
use std::fmt;

use futures_util::future::BoxFuture;
use serde::Serialize;

use crate::journal::{Entry, JournalError};

/// What is asked of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Opening.
    Open,
    /// Appending.
    Append,
    /// Letting a snapshot stand for entries.
    Shorten,
    /// Reading entries, for a projection or by an heir.
    Read,
    /// Reading the records of a key.
    ReadOf,
    /// Reading a part.
    Part,
    /// Saving a part.
    SavePart,
    /// Keeping a blob.
    Keep,
    /// Fetching a blob.
    Fetch,
    /// Removing blobs.
    Remove,
    /// Listing blobs or journals.
    List,
    /// Looking at a journal.
    Look,
    /// Adopting a journal.
    Adopt,
}

impl Operation {
    /// All of them, in order.
    pub const ALL: [Self; 13] = [
        Self::Open,
        Self::Append,
        Self::Shorten,
        Self::Read,
        Self::ReadOf,
        Self::Part,
        Self::SavePart,
        Self::Keep,
        Self::Fetch,
        Self::Remove,
        Self::List,
        Self::Look,
        Self::Adopt,
    ];

    /// Its name in messages and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Append => "append",
            Self::Shorten => "shorten",
            Self::Read => "read",
            Self::ReadOf => "read_of",
            Self::Part => "part",
            Self::SavePart => "save_part",
            Self::Keep => "keep",
            Self::Fetch => "fetch",
            Self::Remove => "remove",
            Self::List => "list",
            Self::Look => "look",
            Self::Adopt => "adopt",
        }
    }

    /// Whether it can change something. One that opens can: it ends others.
    pub const fn writes(self) -> bool {
        match self {
            Self::Open
            | Self::Append
            | Self::Shorten
            | Self::SavePart
            | Self::Keep
            | Self::Remove
            | Self::Adopt => true,
            Self::Read | Self::ReadOf | Self::Part | Self::Fetch | Self::List | Self::Look => false,
        }
    }
}

/// One call.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// What is asked.
    pub operation: Operation,
    /// Of what kind of place, such as `sqlite`.
    pub kind: &'static str,
    /// About which journal, entry, key or blob; for messages.
    pub about: &'a (dyn fmt::Display + Sync),
    /// What is appended, if it is that.
    pub entry: Option<&'a Entry>,
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation.name(), self.about)
    }
}

/// What a layer adds to every call.
pub trait Around: Clone + fmt::Debug + Send + Sync + 'static {
    /// Carries out a call, or does not. `now` is the call itself, which nothing was done for yet; `again` does the same without a
    /// caller that waits for it.
    fn around<'a, T: Send + 'a>(
        &'a self,
        call: Call<'a>,
        now: BoxFuture<'a, Result<T, JournalError>>,
        again: &'a (dyn Fn() -> BoxFuture<'static, ()> + Sync),
    ) -> BoxFuture<'a, Result<T, JournalError>>;

    /// Something to keep as long as a journal is open.
    fn while_open(&self) -> Option<Box<dyn Any + Send + Sync>> {
        None
    }
}
