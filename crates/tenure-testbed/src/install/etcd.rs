//! etcd 3.5.16: the programs of Debian's packages, unpacked. They need nothing but the C library.
//!
//! Not older: 3.5.0 to 3.5.2 lose writes when they are killed, which is what our tests do to them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::apt::{self, Suite, Wanted};
use super::once::{find, once};
use super::progress::Progress;
use crate::error::Error;
use crate::process::run;

const SUITE: &str = "trixie";
const FOLDER: &str = "etcd-3.5.16";
/// Whatever version the machine's own suite has, where the other one can't be had.
const OWN_FOLDER: &str = "etcd-own";
const PACKAGES: [&str; 2] = ["etcd-server", "etcd-client"];

/// Where its programs are.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) etcd: PathBuf,
    pub(crate) etcdctl: PathBuf,
    pub(crate) etcdutl: PathBuf,
}

impl Programs {
    /// The installed ones.
    pub(crate) fn find() -> Result<Self, Error> {
        let found = find(FOLDER).or_else(|| find(OWN_FOLDER));
        found.map(|folder| Self::under(&folder)).ok_or_else(|| Error::Absent("etcd".into()))
    }

    fn under(folder: &Path) -> Self {
        let programs = folder.join("usr/bin");
        let [etcd, etcdctl, etcdutl] = ["etcd", "etcdctl", "etcdutl"].map(|name| programs.join(name));
        Self { etcd, etcdctl, etcdutl }
    }

    /// What it calls itself, which also shows that it runs here.
    pub(crate) fn version(&self) -> Result<String, Error> {
        let mut command = Command::new(&self.etcd);
        command.arg("--version");
        let said = run(command)?;
        Ok(said.split_whitespace().nth(2).unwrap_or("unknown").to_owned())
    }
}

pub(super) fn install(progress: &Progress) -> Result<(), Error> {
    if Programs::find().is_ok() {
        return Ok(());
    }
    let Err(first) = once(FOLDER, progress, |folder| from_suite(folder, progress)) else { return Ok(()) };
    progress.say(&format!("{SUITE} can't be had, so this machine's own suite is tried: {first}"));
    once(OWN_FOLDER, progress, |folder| from_own(folder, progress)).map(drop)
}

fn from_suite(folder: &Path, progress: &Progress) -> Result<(), Error> {
    let apt = folder.join("apt");
    Suite::open(SUITE, Wanted::Binaries, apt.clone(), progress)?.unpack(&PACKAGES, folder)?;
    let _ = std::fs::remove_dir_all(apt);
    Programs::under(folder).version().map(drop)
}

fn from_own(folder: &Path, progress: &Progress) -> Result<(), Error> {
    apt::unpack_own(&PACKAGES, folder, progress)?;
    Programs::under(folder).version().map(drop)
}
