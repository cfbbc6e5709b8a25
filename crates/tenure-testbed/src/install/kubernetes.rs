//! kube-apiserver 1.20.2: built from Debian's source package, the one place that has all of it and its dependencies.
//!
//! It is built by the Go of the same suite, unpacked beside it. That Go is newer than the sources expect, under which one of their
//! packages, reflect2 1.0.1, crashes as soon as somebody makes a custom resource; Debian's own 1.0.2 takes its place.
//!
//! This takes five to ten minutes of two cores, once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::apt::{self, Suite, Wanted};
use super::once::{find, once};
use super::progress::Progress;
use super::{etcd, path};
use crate::error::{Doing, Error};
use crate::place::servers;
use crate::process::run;

const SUITE: &str = "bookworm";
const FOLDER: &str = "kube-apiserver-1.20.2";
const CLIENT_FOLDER: &str = "kubectl-1.20";
const GO: [&str; 3] = ["golang-1.19-go", "golang-1.19-src", "golang-github-modern-go-reflect2-dev"];
const REFLECT: &str = "github.com/modern-go/reflect2";
/// What building needs, and the package that has it.
const TOOLS: [(&str, &str); 3] = [("dpkg-source", "dpkg-dev"), ("make", "make"), ("rsync", "rsync")];

/// Where its programs are.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) apiserver: PathBuf,
    pub(crate) kubectl: PathBuf,
}

impl Programs {
    /// The installed ones.
    pub(crate) fn find() -> Result<Self, Error> {
        let folder = find(FOLDER).ok_or_else(|| Error::Absent("kube-apiserver".into()))?;
        let kubectl = kubectl().ok_or_else(|| Error::Absent("kubectl".into()))?;
        Ok(Self { apiserver: folder.join("kube-apiserver"), kubectl })
    }

    /// What it calls itself.
    pub(crate) fn version(&self) -> Result<String, Error> {
        version(&self.apiserver)
    }
}

fn version(apiserver: &Path) -> Result<String, Error> {
    let mut command = Command::new(apiserver);
    command.arg("--version");
    let said = run(command)?;
    let word = said.split_whitespace().nth(1).unwrap_or("unknown");
    Ok(word.trim_start_matches('v').split(['-', '+']).next().unwrap_or(word).to_owned())
}

/// The machine's own, or else the one that we unpacked.
fn kubectl() -> Option<PathBuf> {
    let unpacked = || find(CLIENT_FOLDER).map(|folder| folder.join("usr/bin/kubectl"));
    path::find("kubectl").or_else(unpacked)
}

pub(super) fn install(progress: &Progress) -> Result<(), Error> {
    etcd::install(progress)?;
    if kubectl().is_none() {
        once(CLIENT_FOLDER, progress, |folder| unpack_kubectl(folder, progress))?;
    }
    once(FOLDER, progress, |folder| make(folder, progress)).map(drop)
}

fn unpack_kubectl(folder: &Path, progress: &Progress) -> Result<(), Error> {
    let apt = folder.join("apt");
    Suite::open(SUITE, Wanted::Binaries, apt.clone(), progress)?.unpack(&["kubernetes-client"], folder)?;
    remove(&apt)
}

/// Only the program stays; what it is built in takes two gigabytes of the clone's own folder.
fn make(folder: &Path, progress: &Progress) -> Result<(), Error> {
    let missing: Vec<&str> =
        TOOLS.iter().filter(|(tool, _)| path::find(tool).is_none()).map(|tool| tool.1).collect();
    if !missing.is_empty() {
        apt::install(&missing, progress)?;
    }
    let room = Room::empty(servers().join(format!("{FOLDER}.build")), progress)?;
    room.fetch()?;
    room.swap_reflect()?;
    room.build()?;
    let built = room.folder.join("k8s/_output/bin/kube-apiserver");
    version(&built)?;
    fs::copy(&built, folder.join("kube-apiserver")).doing(|| format!("copy {}", built.display()))?;
    discard(&room.folder)
}

/// A hundred thousand small files take a slow disk minutes to delete, for which nobody waits.
fn discard(room: &Path) -> Result<(), Error> {
    let litter = servers().join(format!("{FOLDER}.litter-{}", std::process::id()));
    fs::rename(room, &litter).doing(|| format!("move {}", room.display()))?;
    let mut remove = Command::new("rm");
    remove.arg("-rf").arg(&litter).stdin(Stdio::null());
    remove.spawn().map(drop).doing(|| format!("delete {}", litter.display()))
}

/// Where it is built.
struct Room<'a> {
    folder: PathBuf,
    progress: &'a Progress,
}

impl<'a> Room<'a> {
    /// What a run that was killed left there is deleted.
    fn empty(folder: PathBuf, progress: &'a Progress) -> Result<Self, Error> {
        if folder.is_dir() {
            remove(&folder)?;
        }
        fs::create_dir_all(&folder).doing(|| format!("make {}", folder.display()))?;
        Ok(Self { folder, progress })
    }

    fn fetch(&self) -> Result<(), Error> {
        let suite = Suite::open(SUITE, Wanted::BinariesAndSources, self.folder.join("apt"), self.progress)?;
        suite.unpack(&GO, &self.folder.join("root"))?;
        suite.source("kubernetes", &self.folder)?;
        let mut unpack = Command::new("sh");
        unpack.args(["-c", "dpkg-source --no-check -x kubernetes_*.dsc k8s"]).current_dir(&self.folder);
        self.progress.run("unpacking the source", unpack, &self.folder.join("log"))
    }

    fn swap_reflect(&self) -> Result<(), Error> {
        let vendored = self.folder.join("k8s/vendor").join(REFLECT);
        remove(&vendored)?;
        let mut copy = Command::new("cp");
        copy.arg("-r").args([self.folder.join("root/usr/share/gocode/src").join(REFLECT), vendored]);
        run(copy).map(drop)
    }

    /// The sources believe in being where Go once wanted everything to be: a link makes it so.
    fn build(&self) -> Result<(), Error> {
        let parent = self.folder.join("k8s/.go/src/k8s.io");
        fs::create_dir_all(&parent).doing(|| format!("make {}", parent.display()))?;
        let inside = parent.join("kubernetes");
        std::os::unix::fs::symlink("../../..", &inside).doing(|| format!("link {}", inside.display()))?;
        let mut make = Command::new("nice");
        make.args(["-n", "10", "make", "WHAT=cmd/kube-apiserver"]).current_dir(&inside);
        self.surround(&mut make);
        self.progress.run("compiling", make, &self.folder.join("log"))
    }

    fn surround(&self, make: &mut Command) {
        let go = self.folder.join("root/usr/lib/go-1.19");
        let old = std::env::var_os("PATH").unwrap_or_default();
        let paths = [go.join("bin")].into_iter().chain(std::env::split_paths(&old));
        if let Ok(paths) = std::env::join_paths(paths) {
            make.env("PATH", paths);
        }
        make.env("PWD", self.folder.join("k8s/.go/src/k8s.io/kubernetes"));
        make.env("GOROOT", go)
            .env("GOPATH", self.folder.join("k8s/.go"))
            .env("HOME", self.folder.join("root"));
        make.env("CGO_ENABLED", "0").env("GOPROXY", "off").env("GOFLAGS", "").env_remove("GOCACHE");
    }
}

fn remove(folder: &Path) -> Result<(), Error> {
    fs::remove_dir_all(folder).doing(|| format!("delete {}", folder.display()))
}
