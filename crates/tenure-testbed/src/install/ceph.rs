//! Ceph 20 and its object gateway: the one real S3 server at hand that keeps conditions. For acceptance and for figures.
//!
//! It needs libraries that are newer than this machine's. So the packages of a newer suite, with everything that they depend on, are
//! unpacked into a folder that becomes the root of its processes. No script of any package runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::apt::{Suite, Wanted};
use super::once::{find, once};
use super::progress::Progress;
use super::{moto, path};
use crate::error::{Doing, Error};
use crate::process::{User, run};

const SUITE: &str = "forky";
const FOLDER: &str = "ceph-20";
const PACKAGES: [&str; 4] = ["ceph-mon", "ceph-osd", "radosgw", "ceph-common"];
const DEVICES: [&str; 3] = ["/dev/null", "/dev/urandom", "/dev/zero"];

/// Where its programs are.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    /// The folder that is to be the root of its processes.
    pub(crate) root: PathBuf,
    /// What makes it so.
    pub(crate) chroot: PathBuf,
}

impl Programs {
    /// The installed ones.
    pub(crate) fn find() -> Result<Self, Error> {
        let folder = find(FOLDER).ok_or_else(|| Error::Absent("ceph".into()))?;
        Self::under(&folder)
    }

    fn under(folder: &Path) -> Result<Self, Error> {
        let chroot = path::find("chroot").ok_or_else(|| Error::Absent("chroot".into()))?;
        Ok(Self { root: folder.join("root"), chroot })
    }

    /// A call of one of its programs.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(&self.chroot);
        command.arg(&self.root).arg(program).env("PATH", "/usr/sbin:/usr/bin");
        command
    }

    /// What it calls itself, which also shows that it runs here.
    pub(crate) fn version(&self) -> Result<String, Error> {
        let mut command = self.command("radosgw");
        command.arg("--version");
        Ok(run(command)?.split_whitespace().nth(2).unwrap_or("unknown").to_owned())
    }
}

/// moto comes along: its Python knows how to make a bucket.
pub(super) fn install(progress: &Progress) -> Result<(), Error> {
    moto::install(progress)?;
    if !User::are_we_root() {
        return Err(Error::Refused(
            "only root can give ceph a root folder of its own; moto needs no root".into(),
        ));
    }
    once(FOLDER, progress, |folder| make(folder, progress)).map(drop)
}

fn make(folder: &Path, progress: &Progress) -> Result<(), Error> {
    let (apt, root) = (folder.join("apt"), folder.join("root"));
    let suite = Suite::open(SUITE, Wanted::Binaries, apt.clone(), progress)?;
    suite.unpack_with_all_it_needs(&PACKAGES, &root)?;
    let mut devices = Command::new("cp");
    devices.arg("-a").args(DEVICES).arg(root.join("dev"));
    run(devices)?;
    fs::remove_dir_all(&apt).doing(|| format!("delete {}", apt.display()))?;
    Programs::under(folder)?.version().map(drop)
}
