//! A lock that one process has at a time; the system lets go of it when its process ends.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::error::Trouble;

/// The lock of a file, held until it is dropped. The file stays: who deletes it lets two in.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Takes the lock, if nobody else has it.
    pub(super) fn take(path: &Path) -> Result<Self, Trouble> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true).mode(0o600);
        let file = options.open(path).map_err(|error| Trouble::at(path, error))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self(file)),
            Err(Errno::WOULDBLOCK) => Err(Trouble::Locked),
            Err(error) => Err(Trouble::at(path, error.into())),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // In so many words: a process that is being started has copies of our files for a moment, and with them the lock.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}
