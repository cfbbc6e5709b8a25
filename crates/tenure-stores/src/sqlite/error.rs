//! What can go wrong with a SQLite file, and what its user does about it.
//!
//! The rule: a write that failed before its commit did not happen; one whose commit failed may have, for its frames may be in
//! the log already and a recovery would find them.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::ErrorCode;
use tenure::store::{Operation, StoreErrorKind};

use super::place::Place;
use crate::trouble::{Cause, StoreTrouble};

/// The name of this kind of store.
pub(super) const KIND: &str = "sqlite";

/// Why a call brought no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(
        "another process held the lock for longer than {0:?}; try again, and look for a process stopped in a write"
    )]
    Busy(Duration),
    #[error("the disk is full; free some space")]
    Full,
    #[error("the file can't be written; grant this user write access to it and to its directory")]
    ReadOnly(#[source] rusqlite::Error),
    #[error("{}", Self::CANNOT_OPEN)]
    CannotOpen(#[source] rusqlite::Error),
    #[error(
        "the file can't be read; grant this user read access to it, to its -wal and its -shm and to its directory, or look as its owner"
    )]
    CannotLook(#[source] rusqlite::Error),
    #[error("it was opened to look; open it to write")]
    LookingOnly,
    #[error("the file is not a SQLite database; name another one")]
    NotADatabase(#[source] rusqlite::Error),
    #[error("the database is damaged; restore it, and see docs/guide on how to raise its epochs afterwards")]
    Damaged(#[source] rusqlite::Error),
    #[error("the value is too large for this store; make its pages smaller")]
    TooLarge(#[source] rusqlite::Error),
    #[error("the file could not be read or written")]
    Disk(#[source] rusqlite::Error),
    #[error("the commit failed; it may have landed: read before writing again")]
    Unsure(#[source] rusqlite::Error),
    #[error("{0}; {advice}", advice = .0.advice())]
    Lost(Loss),
    #[error("another process changes how the file is locked, again and again; try again")]
    Contended(#[source] rusqlite::Error),
    #[error("there is not enough memory; free some")]
    NoMemory(#[source] rusqlite::Error),
    #[error(
        "SQLite refuses what is asked of it; check that no other program changes the tables of this file"
    )]
    Refused(#[source] rusqlite::Error),
    #[error("{} while a write was under way: it may have landed in either file; restart this process", .0)]
    LostInWrite(Loss),
    #[error("the store's thread has ended; open the store again, and report this as a bug")]
    Closed,
}

/// What became of a file that was open.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Loss {
    #[error("{} was replaced by another file", .0.display())]
    Replaced(PathBuf),
    #[error("{} was deleted or moved away", .0.display())]
    Deleted(PathBuf),
    #[error("{} has drawn {drawn} versions, though {given} were given out: it is an older copy, or another database", .file.display())]
    Forgot { file: PathBuf, mark: PathBuf, drawn: i64, given: i64 },
}

impl Loss {
    /// The database at `place` has drawn fewer versions than were given out.
    pub(super) fn forgot(place: &Place, drawn: i64, given: i64) -> Self {
        Self::Forgot { file: place.file().into(), mark: place.drawn(), drawn, given }
    }

    /// What an operator does about it.
    fn advice(&self) -> String {
        match self {
            Self::Replaced(_) | Self::Deleted(_) => {
                "this process still had the former file open, and does not go on with either; restart it"
                    .into()
            }
            Self::Forgot { mark, .. } => format!(
                "stop all members and put the newest copy in its place; if there is none, delete {}, run `tenure store recover` and \
                 start again",
                mark.display()
            ),
        }
    }
}

impl Trouble {
    /// What to do about a file that can't be opened, or made.
    pub(super) const CANNOT_OPEN: &str =
        "the file can't be opened; check that its directory exists and that this user may write in it";

    /// What a failed step before the commit means.
    pub(super) fn in_step(error: rusqlite::Error, patience: Duration) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(patience),
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly(error),
            Some(ErrorCode::CannotOpen) => Self::CannotOpen(error),
            Some(ErrorCode::NotADatabase) => Self::NotADatabase(error),
            Some(ErrorCode::TooBig) => Self::TooLarge(error),
            Some(ErrorCode::SystemIoFailure) => Self::Disk(error),
            Some(ErrorCode::OutOfMemory) => Self::NoMemory(error),
            Some(ErrorCode::FileLockingProtocolFailed | ErrorCode::OperationInterrupted) => {
                Self::Contended(error)
            }
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error),
            // A list of SQLite's, which grows. None of them is the file's fault.
            Some(_) => Self::Refused(error),
            // What is stored has another type than ours, or a row is missing.
            None => Self::Damaged(error),
        }
    }

    /// What a failed commit means. One answer says for sure that nothing was written: that the lock was not to be had. After any
    /// other, even that of a full disk, the log may hold what a recovery would bring back.
    pub(super) fn in_commit(error: rusqlite::Error, patience: Duration) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy) => Self::in_step(error, patience),
            _ => Self::Unsure(error),
        }
    }
}

impl StoreTrouble for Trouble {
    const STORE: &'static str = KIND;

    fn kind(&self) -> StoreErrorKind {
        match self {
            Self::Busy(_)
            | Self::Full
            | Self::Disk(_)
            | Self::Contended(_)
            | Self::NoMemory(_)
            | Self::Closed => StoreErrorKind::Unavailable,
            Self::ReadOnly(_) | Self::CannotOpen(_) | Self::CannotLook(_) | Self::LookingOnly => {
                StoreErrorKind::Denied
            }
            Self::TooLarge(_) => StoreErrorKind::Invalid,
            Self::Unsure(_) | Self::LostInWrite(_) => StoreErrorKind::Indeterminate,
            Self::NotADatabase(_) | Self::Damaged(_) | Self::Refused(_) | Self::Lost(_) => {
                StoreErrorKind::Incompatible
            }
        }
    }

    /// The thread may have ended in the midst of it.
    fn is_unanswered(&self, operation: Operation) -> bool {
        matches!(self, Self::Closed) && operation.writes()
    }

    fn into_cause(self) -> Option<Cause> {
        match self {
            Self::ReadOnly(cause)
            | Self::CannotOpen(cause)
            | Self::CannotLook(cause)
            | Self::NotADatabase(cause)
            | Self::Damaged(cause)
            | Self::TooLarge(cause)
            | Self::Disk(cause)
            | Self::Contended(cause)
            | Self::NoMemory(cause)
            | Self::Refused(cause)
            | Self::Unsure(cause) => Some(cause.into()),
            Self::Busy(_)
            | Self::Full
            | Self::Lost(_)
            | Self::LostInWrite(_)
            | Self::LookingOnly
            | Self::Closed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;
    use tenure::store::StoreError;

    use super::*;

    fn failed(code: i32) -> rusqlite::Error {
        rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)
    }

    fn in_step(code: i32) -> StoreError {
        Trouble::in_step(failed(code), Duration::from_millis(250)).on("put", "members/a")
    }

    fn in_commit(code: i32) -> StoreErrorKind {
        Trouble::in_commit(failed(code), Duration::from_millis(250)).on("put", "members/a").kind
    }

    #[test]
    fn a_write_that_never_got_the_lock_did_not_happen() {
        assert_eq!(in_step(ffi::SQLITE_BUSY).kind, StoreErrorKind::Unavailable);
        assert_eq!(in_commit(ffi::SQLITE_BUSY), StoreErrorKind::Unavailable);
    }

    #[test]
    fn a_full_disk_is_named_and_the_write_did_not_happen() {
        let error = in_step(ffi::SQLITE_FULL);
        assert_eq!(error.kind, StoreErrorKind::Unavailable);
        assert_eq!(error.to_string(), "sqlite: can't put members/a: the disk is full; free some space");
    }

    #[test]
    fn of_all_failed_commits_only_one_without_the_lock_surely_did_not_happen() {
        let codes = (1..=28).filter(|code| *code != ffi::SQLITE_BUSY);
        for code in codes.chain([ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_CORRUPT_INDEX]) {
            assert_eq!(in_commit(code), StoreErrorKind::Indeterminate, "{code}");
        }
        for code in [ffi::SQLITE_BUSY, ffi::SQLITE_BUSY_SNAPSHOT, ffi::SQLITE_BUSY_RECOVERY] {
            assert_eq!(in_commit(code), StoreErrorKind::Unavailable, "{code}");
        }
    }

    #[test]
    fn only_a_damaged_database_is_called_damaged() {
        let is_damage = |code| in_step(code).to_string().contains("damaged");
        let damage: Vec<i32> = (1..=28).filter(|code| is_damage(*code)).collect();
        assert_eq!(damage, [ffi::SQLITE_CORRUPT]);
    }

    #[test]
    fn a_locking_protocol_that_failed_is_tried_again() {
        let error = in_step(ffi::SQLITE_PROTOCOL);
        assert_eq!(error.kind, StoreErrorKind::Unavailable);
        assert!(error.to_string().contains("try again"), "{error}");
    }

    #[test]
    fn a_commit_whose_synchronisation_failed_may_have_landed() {
        assert_eq!(in_commit(ffi::SQLITE_IOERR_FSYNC), StoreErrorKind::Indeterminate);
    }

    #[test]
    fn a_step_whose_disk_failed_did_not_happen() {
        assert_eq!(in_step(ffi::SQLITE_IOERR_WRITE).kind, StoreErrorKind::Unavailable);
    }

    #[test]
    fn a_write_whose_thread_ended_may_have_landed() {
        let error = Trouble::Closed.in_call(Operation::Put, "members/a");
        assert_eq!(error.kind, StoreErrorKind::Indeterminate);
    }

    #[test]
    fn the_cause_is_kept_and_not_repeated() {
        let error = in_step(ffi::SQLITE_IOERR_WRITE);
        let cause = error.source.as_ref().unwrap().to_string();
        assert!(!error.to_string().contains(&cause));
    }
}
