//! Why a journal did not do what was asked.

use tenure_core::ids::{Epoch, ShardId};
use tenure_core::journal::Seq;
use tenure_core::journal::entry::Place;
use tenure_core::journal::fault::Fault;
use tenure_core::journal::group::Busy;
use tenure_core::journal::limits::Unfit;

use crate::error::{Error, ErrorKind};
use crate::store::{StoreError, StoreErrorKind};

/// What went wrong with a journal.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// This start of work is over, or what is stored can't be used. Trying again changes nothing.
    #[error(transparent)]
    Ended(#[from] Fault),
    /// Too much waits already; nothing was stored.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// What was given can't be stored; nothing was.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The entries that were asked for are not kept any more.
    #[error("entries before {start} are in a snapshot; read that, or from {start} on")]
    Shortened {
        /// The first that is kept.
        start: Seq,
    },
    /// The index of the journal's keys is with its owner, and that is not here.
    #[error("journal {0} is not open here, and only its owner can find records by key; ask the owner")]
    NotOpen(Place),
    /// There is no such journal.
    #[error("there is no journal {0}; look at its name and at the place of journals")]
    NoJournal(Place),
    /// What was read ahead belongs to another shard.
    #[error(
        "what was read ahead is of journal {read}, and this is shard {shard}; read ahead for the shard that comes"
    )]
    Misplaced {
        /// What was read ahead.
        read: Place,
        /// The shard whose work it is.
        shard: ShardId,
    },
    /// Other bytes are kept under the name.
    #[error("the depot keeps other bytes under {0}; a name is given once: use another")]
    Taken(String),
    /// The store that carries the journal failed for good.
    #[error("the journal's store refuses")]
    Store(#[source] std::sync::Arc<StoreError>),
    /// The guard of the shard does not hold any more.
    #[error("the right to act for the shard is over; what was appended last may be stored")]
    Lapsed,
    /// The writer has ended.
    #[error("the writer has ended; open the journal again")]
    Closed,
}

impl JournalError {
    /// The epoch that has opened the journal since, if that is what happened.
    pub fn fenced_by(&self) -> Option<Epoch> {
        match self {
            Self::Ended(Fault::Fenced(epoch)) => Some(*epoch),
            _ => None,
        }
    }
}

impl From<StoreError> for JournalError {
    fn from(error: StoreError) -> Self {
        Self::Store(std::sync::Arc::new(error))
    }
}

impl From<JournalError> for Error {
    fn from(error: JournalError) -> Self {
        let kind = match &error {
            JournalError::Ended(Fault::Fenced(_)) | JournalError::Lapsed => ErrorKind::Lapsed,
            JournalError::Ended(Fault::Damaged(_) | Fault::Foreign(_) | Fault::WentBack { .. }) => {
                ErrorKind::Incompatible
            }
            JournalError::Busy(_) => ErrorKind::Busy,
            JournalError::Unfit(_)
            | JournalError::Shortened { .. }
            | JournalError::NotOpen(_)
            | JournalError::NoJournal(_)
            | JournalError::Misplaced { .. }
            | JournalError::Taken(_) => ErrorKind::Invalid,
            JournalError::Store(error) => match error.kind {
                StoreErrorKind::Denied => ErrorKind::Denied,
                StoreErrorKind::Unavailable => ErrorKind::Unavailable,
                StoreErrorKind::Indeterminate => ErrorKind::Indeterminate,
                StoreErrorKind::Invalid => ErrorKind::Invalid,
                StoreErrorKind::Incompatible => ErrorKind::Incompatible,
            },
            JournalError::Closed => ErrorKind::Closed,
        };
        Self::new(kind, "the journal stopped").because(error)
    }
}
