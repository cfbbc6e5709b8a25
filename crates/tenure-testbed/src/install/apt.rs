//! Debian's packages, of this machine's suite or of another one, without touching the machine's settings.
//!
//! Another suite is reached by settings of our own, given to apt by `APT_CONFIG`; the mirror is the one that the machine uses. Its
//! packages are unpacked into a folder, not installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::progress::Progress;
use crate::error::{Doing, Error};
use crate::process::{User, run};

/// Lists of packages, but none of their pictures and translations.
const NEEDED: &str = "Targets: Packages Sources\n";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The base comes first: it says which folders are links to others.
const UNPACK_ALL: &str =
    "set -e; for deb in base-files_*.deb *.deb; do dpkg-deb -x \"$deb\" \"$1\"; echo \"$deb\"; done";

/// Whether a suite is wanted for its programs or for its sources.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    Binaries,
    BinariesAndSources,
}

/// One suite of Debian, with lists of its own.
#[derive(Debug)]
pub(super) struct Suite<'a> {
    progress: &'a Progress,
    folder: PathBuf,
}

impl<'a> Suite<'a> {
    /// Fetches the lists of `suite` into `folder`.
    pub(super) fn open(
        suite: &str,
        wanted: Wanted,
        folder: PathBuf,
        progress: &'a Progress,
    ) -> Result<Self, Error> {
        let opened = Self { progress, folder };
        opened.write_settings(suite, wanted)?;
        opened.run(&format!("reading the list of {suite}"), opened.apt_get(&["update"]))?;
        Ok(opened)
    }

    /// Fetches packages and unpacks them into `folder`.
    pub(super) fn unpack(&self, packages: &[&str], folder: &Path) -> Result<(), Error> {
        let debs = self.folder.join("debs");
        make(&debs)?;
        let mut download = self.apt_get(&["download"]);
        download.args(packages).current_dir(&debs);
        self.run(&format!("fetching {}", packages.join(", ")), download)?;
        unpack_all(&debs, folder)
    }

    /// The same together with all packages that they depend on, as if nothing were installed: `folder` becomes a system.
    pub(super) fn unpack_with_all_it_needs(&self, packages: &[&str], folder: &Path) -> Result<(), Error> {
        make(folder)?;
        let none = self.folder.join("status");
        write(&none, "")?;
        let mut download = self.apt_get(&["install", "-y", "--download-only", "--no-install-recommends"]);
        download.arg("-o").arg(format!("Dir::State::status={}", none.display()));
        download.args(packages).args(["base-files", "coreutils"]);
        self.run(&format!("fetching {} and what they need", packages.join(", ")), download)?;
        let mut unpack = Command::new("sh");
        unpack.args(["-c", UNPACK_ALL, "unpack"]).arg(folder).current_dir(self.folder.join("cache/archives"));
        self.run("unpacking", unpack)
    }

    /// Fetches the source of `package` into `folder`, not yet unpacked.
    pub(super) fn source(&self, package: &str, folder: &Path) -> Result<(), Error> {
        let mut source = self.apt_get(&["source", "--download-only"]);
        source.arg(package).current_dir(folder);
        self.run(&format!("fetching the source of {package}"), source)
    }

    fn run(&self, stage: &str, command: Command) -> Result<(), Error> {
        self.progress.run(stage, command, &self.folder.join("log"))
    }

    fn apt_get(&self, args: &[&str]) -> Command {
        let mut command = Command::new("apt-get");
        command.arg("-q").args(args).env("APT_CONFIG", self.folder.join("apt.conf"));
        command
    }

    fn write_settings(&self, suite: &str, wanted: Wanted) -> Result<(), Error> {
        for inside in ["lists/partial", "cache/archives/partial", "parts"] {
            make(&self.folder.join(inside))?;
        }
        write(&self.folder.join("parts/suite.sources"), &sources(suite, wanted, &mirror()?))?;
        write(&self.folder.join("apt.conf"), &settings(&self.folder))
    }
}

fn sources(suite: &str, wanted: Wanted, mirror: &str) -> String {
    let kinds = match wanted {
        Wanted::Binaries => "deb",
        Wanted::BinariesAndSources => "deb deb-src",
    };
    let place = format!("URIs: {mirror}\nSuites: {suite}\nComponents: main\nSigned-By: {KEYRING}\n");
    format!("Types: {kinds}\n{place}{NEEDED}")
}

/// A suite that is no longer renewed is past its date of validity; its signatures still count.
fn settings(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "Dir::State::lists \"{folder}/lists\";\nDir::Cache \"{folder}/cache\";\n\
         Dir::Etc::sourcelist \"/dev/null\";\nDir::Etc::sourceparts \"{folder}/parts\";\n\
         Acquire::Check-Valid-Until \"false\";\nAcquire::Retries \"3\";\nAPT::Sandbox::User \"root\";\n"
    )
}

/// Fetches packages of the machine's own suite and unpacks them into `folder`.
pub(super) fn unpack_own(packages: &[&str], folder: &Path, progress: &Progress) -> Result<(), Error> {
    let debs = folder.join("debs");
    make(&debs)?;
    let mut download = Command::new("apt-get");
    download.args(["-q", "download"]).args(packages).current_dir(&debs);
    progress.run(
        &format!("fetching {} of this suite", packages.join(", ")),
        download,
        &folder.join("log"),
    )?;
    unpack_all(&debs, folder)
}

/// Installs packages on the machine. Lists that are missing or old are fetched when the first try fails.
pub(super) fn install(packages: &[&str], progress: &Progress) -> Result<(), Error> {
    let log = tempfile::NamedTempFile::new().doing(|| "write a log".into())?;
    let names = packages.join(" ");
    if !User::are_we_root() {
        return Err(Error::Refused(format!("packages are missing: sudo apt-get install -y {names}")));
    }
    let stage = format!("installing {names}");
    if progress.run(&stage, system_apt(&["install"], packages), log.path()).is_ok() {
        return Ok(());
    }
    progress.run("reading the lists of packages", system_apt(&["update"], &[]), log.path())?;
    progress.run(&stage, system_apt(&["install"], packages), log.path())
}

fn system_apt(args: &[&str], packages: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(["-y", "-q", "-o", "DPkg::Lock::Timeout=600", "--no-install-recommends"]).args(args);
    command.args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// The mirror of this machine's own suite, as apt itself understands its settings.
fn mirror() -> Result<String, Error> {
    let mut command = Command::new("apt-get");
    // Without the lists themselves, which a new machine does not have.
    command.args(["indextargets", "--no-release-info", "--format", "$(RELEASE) $(REPO_URI)"]);
    command.arg("Created-By: Packages");
    let listed = run(command)?;
    let release = fs::read_to_string("/etc/os-release").doing(|| "read /etc/os-release".into())?;
    let refusal = || Error::Refused("apt's settings name no mirror of this machine's Debian".into());
    own_mirror(&listed, &release).ok_or_else(refusal)
}

fn own_mirror(listed: &str, release: &str) -> Option<String> {
    let codename = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="))?;
    let pairs = listed.lines().filter_map(|line| line.split_once(' '));
    pairs.into_iter().find(|(suite, _)| *suite == codename).map(|(_, mirror)| mirror.to_owned())
}

fn unpack_all(debs: &Path, folder: &Path) -> Result<(), Error> {
    let listed = fs::read_dir(debs).doing(|| format!("list {}", debs.display()))?;
    for entry in listed {
        let path = entry.doing(|| format!("list {}", debs.display()))?.path();
        let mut command = Command::new("dpkg-deb");
        command.arg("-x").args([&path, folder]);
        run(command)?;
    }
    fs::remove_dir_all(debs).doing(|| format!("delete {}", debs.display()))
}

fn make(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).doing(|| format!("make {}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).doing(|| format!("write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::own_mirror;

    #[test]
    fn the_mirror_is_that_of_the_machines_own_suite() {
        let listed = "nodistro https://a/x/\nbookworm http://b/debian/\nbookworm-security http://c/sec/\n";
        let release = "NAME=\"Debian\"\nVERSION_CODENAME=bookworm\n";
        assert_eq!(own_mirror(listed, release).as_deref(), Some("http://b/debian/"));
        assert_eq!(own_mirror(listed, "NAME=other\n"), None);
    }
}
