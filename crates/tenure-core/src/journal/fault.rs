//! Why a journal can't go on.

use crate::ids::{Epoch, Lineage};

use super::author::Seq;

/// What ends the work on a journal. None of them is a guess, and none is tried again.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Fault {
    /// Another start of work has opened it since.
    #[error("epoch {0} has opened the journal: this start of work may not extend it any more")]
    Fenced(Epoch),
    /// It belongs to another founding of the cluster.
    #[error(
        "the journal belongs to the cluster of lineage {0}; name another place, or let `tenure journal adopt` take it over"
    )]
    Foreign(Lineage),
    /// Something that was stored is not there any more.
    #[error("the journal is damaged: {0}; run `tenure journal check`, and restore what is missing")]
    Damaged(Damage),
    /// It shows an earlier state than this process has seen.
    #[error(
        "the journal went back: it is at entry {now}, and was at {was} before; it was restored from a copy: run `tenure journal check`"
    )]
    WentBack {
        /// Where it began, or how far it had come.
        was: Seq,
        /// Where that is now.
        now: Seq,
    },
}

/// What is wrong with what is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Damage {
    /// There are entries, but the head that says where they begin is gone.
    #[error("there are entries, but its head is gone")]
    HeadGone,
    /// The head names a snapshot that is not there.
    #[error("the snapshot of entry {0} is gone")]
    SnapshotGone(Seq),
    /// An entry is gone, though later ones are there.
    #[error("entry {0} is gone, though later ones are there")]
    EntryGone(Seq),
    /// An entry is older than the one before it, or stands after a fence of somebody else.
    #[error("entry {0} is older than the one before it")]
    OutOfOrder(Seq),
    /// Something can't be read.
    #[error("{what} can't be read: {why}")]
    Unreadable {
        /// Which object or row.
        what: String,
        /// What is wrong with it.
        why: String,
    },
}
