//! Programs of Python's package index, each with a set of packages of its own that nothing else sees.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::once::once;
use super::progress::Progress;
use super::{apt, path};
use crate::error::Error;

const TYPOS: &str = "typos==1.51.1";

/// The checker of spelling: the machine's own, or else one that is fetched.
///
/// # Errors
///
/// When it can't be fetched.
pub fn typos() -> Result<PathBuf, Error> {
    match path::find("typos") {
        Some(own) => Ok(own),
        None => Ok(python_with(TYPOS)?.with_file_name("typos")),
    }
}

/// An interpreter that has this package, such as `xxhash==4.1.0`, and others that may follow after a space; they are fetched once.
///
/// # Errors
///
/// When it can't be fetched.
pub fn python_with(packages: &str) -> Result<PathBuf, Error> {
    let packages: Vec<&str> = packages.split(' ').collect();
    let (name, version) = packages[0].split_once("==").unwrap_or((packages[0], "newest"));
    let progress = Progress::of(name);
    let make = |folder: &Path| environment(folder, &packages, &progress);
    once(&format!("{name}-{version}"), &progress, make).map(|folder| folder.join("bin/python"))
}

/// Makes `folder` a virtual environment with these packages; its programs are in `bin`.
///
/// The folder may be given another name afterwards, since nothing of it is called but the interpreter and binaries.
pub(super) fn environment(folder: &Path, packages: &[&str], progress: &Progress) -> Result<(), Error> {
    let log = folder.with_extension("log");
    if let Err(first) = progress.run("making a virtual environment", venv(folder), &log) {
        progress.say(&format!("python3 can't make one: {first}"));
        apt::install(&["python3", "python3-venv"], progress)?;
        progress.run("making a virtual environment", venv(folder), &log)?;
    }
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--disable-pip-version-check"]).args(packages);
    progress.run(&format!("fetching {}", packages.join(", ")), pip, &log)
}

fn venv(folder: &Path) -> Command {
    let mut command = Command::new("python3");
    command.args(["-m", "venv"]).arg(folder);
    command
}
