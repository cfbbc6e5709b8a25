//! Notices that the file one works on is no longer the one at its path.
//!
//! An operator restores a backup, a deployment wipes a directory: the open files live on without a name, and a process that
//! goes on with them is in a world of its own, where its lease is renewed and nobody sees it. So the identity (device and
//! inode) of each file is compared with what is at its path *after* every read, before its answer is believed, and before and
//! after every write. A `stat` each; the files are never opened here, since closing one would let go of SQLite's locks.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::{Loss, Trouble};
use super::place::Place;

/// The files that were opened, by path and identity.
#[derive(Debug)]
pub(super) struct Premises {
    files: Vec<(PathBuf, Identity)>,
    lost: Option<Loss>,
}

/// What a file is, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// What is at `path` now; `None` if nothing is.
    pub(super) fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(path) {
            Ok(status) => Ok(Some(Self { device: status.dev(), inode: status.ino() })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Premises {
    /// Takes down what is there, once the connection has read from it: from then on SQLite keeps all its files.
    pub(super) fn survey(place: &Place) -> Result<Self, Trouble> {
        Self::of([place.file().to_owned(), place.log(), place.index(), place.drawn()])
    }

    /// The same, of these files.
    pub(super) fn of(paths: impl IntoIterator<Item = PathBuf>) -> Result<Self, Trouble> {
        let mut files = Vec::new();
        for path in paths {
            match Identity::at(&path) {
                Ok(Some(identity)) => files.push((path, identity)),
                Ok(None) | Err(_) => return Err(Trouble::Lost(Loss::Deleted(path))),
            }
        }
        Ok(Self { files, lost: None })
    }

    /// The database itself, as it was opened.
    pub(super) fn database(&self) -> Option<Identity> {
        self.files.first().map(|(_, identity)| *identity)
    }

    /// The database was found to be an older copy of itself.
    pub(super) fn lose(&mut self, loss: Loss) -> Loss {
        self.lost.get_or_insert(loss).clone()
    }

    /// Whether all is as it was. Once it was not, it never is again.
    pub(super) fn check(&mut self) -> Result<(), Loss> {
        if self.lost.is_none() {
            self.lost = self.files.iter().find_map(|(path, identity)| loss_of(path, *identity));
        }
        self.lost.clone().map_or(Ok(()), Err)
    }
}

/// A path that can't be looked at proves nothing: the next call will say more.
fn loss_of(path: &Path, identity: Identity) -> Option<Loss> {
    match Identity::at(path) {
        Ok(Some(present)) if present == identity => None,
        Ok(Some(_)) => Some(Loss::Replaced(path.to_owned())),
        Ok(None) => Some(Loss::Deleted(path.to_owned())),
        Err(_) => None,
    }
}
