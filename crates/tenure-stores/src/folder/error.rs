//! What can go wrong with a folder, and what its user does about it.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use tenure::store::{Operation, StoreErrorKind};

use crate::trouble::{Cause, StoreTrouble};

/// The name of this kind of place.
pub(super) const KIND: &str = "folder";

/// Why a call on a folder failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("the disk is full; free some space")]
    Full(#[source] io::Error),
    #[error("{} can't be written by this user; change its owner or its rights, or name another folder", .0.display())]
    NotAllowed(PathBuf, #[source] io::Error),
    #[error("{} is on a disk that can only be read; mount it to be written, or name another folder", .0.display())]
    ReadOnly(PathBuf, #[source] io::Error),
    #[error("{} is no folder, but a file; choose another name", .0.display())]
    NotAFolder(PathBuf),
    #[error(
        "it is on a network file system ({0}), where locks do not hold; use a local disk, or object storage"
    )]
    Remote(&'static str),
    #[error("the disk that {} is on knows no links to files; use another, such as ext4", .0.display())]
    NoLinks(PathBuf, #[source] io::Error),
    #[error("{} was moved, deleted or replaced while it was in use; put it back, and start again", .0.display())]
    Lost(PathBuf),
    #[error("another process is replacing it; try again")]
    Locked,
    #[error("{} is a folder, and a file can't have the same name; choose another", .0.display())]
    IsAFolder(PathBuf),
    #[error("{0:?} is no name of a journal's file")]
    BadName(String),
    #[error("the disk failed at {}", .0.display())]
    Failed(PathBuf, #[source] io::Error),
    /// What was written may be there, and may not be there after a power cut.
    #[error("the disk did not say that {} is stored", .0.display())]
    Unsure(PathBuf, #[source] io::Error),
    #[error("the system gives no random numbers; check /dev/urandom")]
    NoChance,
    #[error("the program is ending")]
    Closed,
}

impl Trouble {
    /// What an error at `path` means.
    pub(super) fn at(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        match Errno::from_io_error(&error) {
            Some(Errno::NOSPC | Errno::DQUOT) => Self::Full(error),
            Some(Errno::ACCESS | Errno::PERM) => Self::NotAllowed(path, error),
            Some(Errno::ROFS) => Self::ReadOnly(path, error),
            Some(Errno::NOTDIR) => Self::NotAFolder(path),
            Some(Errno::ISDIR) => Self::IsAFolder(path),
            _ => Self::Failed(path, error),
        }
    }
}

impl StoreTrouble for Trouble {
    const STORE: &'static str = KIND;

    fn kind(&self) -> StoreErrorKind {
        match self {
            Self::NotAllowed(..) | Self::ReadOnly(..) => StoreErrorKind::Denied,
            Self::NotAFolder(_) | Self::IsAFolder(_) | Self::BadName(_) => StoreErrorKind::Invalid,
            Self::Remote(_) | Self::NoLinks(..) | Self::Lost(_) => StoreErrorKind::Incompatible,
            Self::Full(_) | Self::Locked | Self::Failed(..) | Self::NoChance | Self::Closed => {
                StoreErrorKind::Unavailable
            }
            Self::Unsure(..) => StoreErrorKind::Indeterminate,
        }
    }

    fn is_unanswered(&self, _operation: Operation) -> bool {
        matches!(self, Self::Unsure(..) | Self::Closed)
    }

    fn into_cause(self) -> Option<Cause> {
        match self {
            Self::Full(cause)
            | Self::NotAllowed(_, cause)
            | Self::ReadOnly(_, cause)
            | Self::NoLinks(_, cause)
            | Self::Failed(_, cause)
            | Self::Unsure(_, cause) => Some(Box::new(cause)),
            Self::NotAFolder(_)
            | Self::IsAFolder(_)
            | Self::Remote(_)
            | Self::Lost(_)
            | Self::Locked
            | Self::BadName(_)
            | Self::NoChance
            | Self::Closed => None,
        }
    }
}
