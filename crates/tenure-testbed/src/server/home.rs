//! The folder of one server: its data, its logs and its certificates, gone together with the server.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Doing, Error};
use crate::process::User;

/// A folder of the system's temporary ones: another user must reach it, which is not so in every working copy.
#[derive(Debug)]
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new(server: &str) -> Result<Self, Error> {
        let made = tempfile::Builder::new().prefix(&format!("tenure-{server}-")).tempdir();
        made.map(Self).doing(|| format!("make a folder for {server}"))
    }

    /// A folder inside `parent`, for a server whose root is there.
    pub(crate) fn inside(parent: &Path, server: &str) -> Result<Self, Error> {
        let made = tempfile::Builder::new().prefix(&format!("tenure-{server}-")).tempdir_in(parent);
        made.map(Self).doing(|| format!("make a folder for {server} in {}", parent.display()))
    }

    /// Leaves it where it is.
    pub(crate) fn let_go(self) -> PathBuf {
        self.0.keep()
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Makes it the folder of `user`, together with all files that are in it.
    pub(crate) fn give_to(&self, user: User) -> Result<(), Error> {
        let own = |path: &Path| {
            let owned = std::os::unix::fs::chown(path, Some(user.uid), Some(user.gid));
            owned.doing(|| format!("give {} to another user", path.display()))
        };
        let listed = std::fs::read_dir(self.path()).doing(|| format!("list {}", self.path().display()))?;
        for entry in listed {
            own(&entry.doing(|| format!("list {}", self.path().display()))?.path())?;
        }
        own(self.path())
    }
}
