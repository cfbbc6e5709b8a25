//! A small disk in memory, mounted for one test.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A disk, until it is dropped.
pub(crate) struct Mounted {
    folder: TempDir,
}

impl Mounted {
    /// A disk of so many kilobytes; none where we may not mount, which is said.
    pub(crate) fn with(kilobytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        if mount(&format!("size={kilobytes}k"), folder.path()) {
            return Some(Self { folder });
        }
        println!("skipped: this user may not mount a disk");
        None
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// From now on it can only be read.
    pub(crate) fn protect(&self) {
        assert!(mount("remount,ro", self.folder.path()), "it was mounted before");
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Whoever still uses it keeps it; its name goes at once.
        let _ = Command::new("umount").arg("--lazy").arg(self.folder.path()).output();
    }
}

fn mount(options: &str, at: &Path) -> bool {
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).output();
    mounted.is_ok_and(|output| output.status.success())
}
