//! A file that a process holds locked for all its life.
//!
//! The kernel lets go of the lock when the last descriptor of the file is closed: when the process has ended, by whatever
//! means, and never before. A process that is stopped, swapped out or slow keeps it. So a lock that can be had *proves* that
//! the process has ended; nothing else does, a missing file least of all.
//!
//! - The file gets its name only after it was locked: under that name it is never seen unlocked while its process lives.
//! - It names itself by its inode: a copy, restored from a backup while the process lives, is unlocked and proves nothing.
//! - It belongs to the user of all members, in a folder that is that user's alone: a stranger's file proves nothing, and no stranger
//!   can hold the lock of a process that has ended.
//! - Those who want proof take the lock *shared*, so that they do not hide the death from each other.
//! - Nobody unlocks; the lock goes with the descriptor. A child between fork and exec holds it too, and delays the proof.
//! - It is closed on exec: programs that this process starts are not covered. Whoever owns shards through children says so in
//!   the file, and then a free lock proves nothing by itself: children may outlive all who held it. Somebody who held it must
//!   have written the last word, having seen the end of all of them.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;
use tenure::store::{LAST_WORD, Registration};
use tenure_core::ids::Process;

use super::custody;

/// Files of processes long dead are removed; this is how long their proof is kept for those who come late.
const KEPT: Duration = Duration::from_secs(3600);

/// Stands in the file of a process for which others act.
const OTHERS: &[u8] = b"others act for it\n";

/// The lock of a living process.
#[derive(Debug)]
pub(super) struct Held {
    /// Holds the lock until it is closed.
    file: File,
}

impl Registration for Held {
    fn share(&self) -> io::Result<Option<OwnedFd>> {
        (&self.file).write_all(OTHERS)?;
        // The lock belongs to what is open, not to who opened it: it is free when the last copy is closed.
        self.file.try_clone().map(|file| Some(file.into()))
    }
}

/// Why a process could not be registered.
#[derive(Debug, thiserror::Error)]
pub(super) enum LockError {
    #[error("this process was registered before; draw a new process id for each registration")]
    Taken,
    #[error(
        "the lock file can't be made; its folder must belong to this user: remove one that does not, and let this user write where it is"
    )]
    File(#[source] io::Error),
}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Taken,
            _ => Self::File(error),
        }
    }
}

impl Held {
    /// Registers `process`: when this returns, nobody can prove it dead.
    pub(super) fn take(directory: &Path, process: Process) -> Result<Self, LockError> {
        custody::make_folder(directory).map_err(LockError::File)?;
        let unnamed = directory.join(format!("{process}.new"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unnamed)?;
        let named = lock_and_name(&mut file, &unnamed, &path_of(directory, process));
        // It has its name, or will never have one.
        fs::remove_file(&unnamed)?;
        named?;
        Ok(Self { file })
    }
}

fn lock_and_name(file: &mut File, unnamed: &Path, named: &Path) -> io::Result<()> {
    file.lock()?;
    let mark = Mark { pid: std::process::id().cast_signed(), inode: file.metadata()?.ino() };
    file.write_all(mark.to_string().as_bytes())?;
    // A link, unlike a renaming, never replaces what is there.
    fs::hard_link(unnamed, named)
}

fn path_of(directory: &Path, process: Process) -> PathBuf {
    directory.join(process.to_string())
}

/// What a lock file says: whose it is, and which file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    pid: i32,
    inode: u64,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.pid, self.inode)
    }
}

impl Mark {
    fn parse(text: &str) -> Option<Self> {
        let (pid, inode) = text.lines().next()?.split_once(' ')?;
        Some(Self { pid: pid.parse().ok()?, inode: inode.parse().ok()? })
    }
}

/// A process that may have ended.
#[derive(Debug)]
pub(super) struct Suspect {
    file: File,
    mark: Mark,
}

impl Suspect {
    /// Finds the lock file of `process`; `None` if there is none, or a mere copy, which proves nothing.
    pub(super) fn find(directory: &Path, process: Process) -> Option<Self> {
        Self::open(&path_of(directory, process)).ok().flatten()
    }

    fn open(path: &Path) -> io::Result<Option<Self>> {
        // Another user's file proves nothing: anybody can write a file that nobody has locked.
        let mut file = custody::open_ours(path, OpenOptions::new().read(true))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let inode = file.metadata()?.ino();
        let mark = Mark::parse(&text).filter(|mark| mark.inode == inode);
        Ok(mark.map(|mark| Self { file, mark }))
    }

    /// The number of the process where it was registered. In another namespace it may be anybody's: good for a hint only.
    pub(super) fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.mark.pid)
    }

    /// Whether the process is proven to have ended, and all that acted for it.
    pub(super) fn is_dead(&self) -> bool {
        self.is_free() && self.is_alone().unwrap_or(false)
    }

    fn is_free(&self) -> bool {
        match self.file.try_lock_shared() {
            // Free for ever: nobody takes this lock anew.
            Ok(()) => true,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
        }
    }

    /// Whether nothing acts for the process: nothing ever did, or somebody saw the end of it all, perhaps two of them. What
    /// is not understood may have been written by a later version, which knows more.
    fn is_alone(&self) -> io::Result<bool> {
        let mut text = Vec::new();
        // From its beginning: it was written since it was opened.
        (&self.file).seek(SeekFrom::Start(0))?;
        (&self.file).read_to_end(&mut text)?;
        let said = text.iter().position(|byte| *byte == b'\n').map_or(&[][..], |end| &text[end + 1..]);
        Ok(said.is_empty() || said.strip_prefix(OTHERS).is_some_and(|word| word.starts_with(LAST_WORD)))
    }

    /// Whether `path` still names this very file.
    fn is_at(&self, path: &Path) -> bool {
        let (Ok(open), Ok(named)) = (self.file.metadata(), fs::symlink_metadata(path)) else {
            return false;
        };
        (open.dev(), open.ino()) == (named.dev(), named.ino())
    }
}

/// Removes the files of processes that have ended and were registered long before `process`. Ages are compared between
/// files, so no clock is read; a wrong one costs a shortcut, never safety.
pub(super) fn sweep(directory: &Path, process: Process) -> io::Result<()> {
    let now = fs::metadata(path_of(directory, process))?.modified()?;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let Ok(age) = fs::metadata(&path).and_then(|status| Ok(now.duration_since(status.modified()?)))
        else {
            continue;
        };
        if age.is_ok_and(|age| age > KEPT) {
            bury(&path)?;
        }
    }
    Ok(())
}

/// Removes a file whose process has ended, while its lock is held and only if it is the file that was tried. One without
/// the last word goes too: a missing file proves as little.
fn bury(path: &Path) -> io::Result<()> {
    match Suspect::open(path)? {
        Some(suspect) if suspect.is_free() && suspect.is_at(path) => fs::remove_file(path),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz_tests;
