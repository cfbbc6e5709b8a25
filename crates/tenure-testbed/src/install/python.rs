//! Programs of Python's package index, each with a set of packages of its own that nothing else sees.

use std::path::Path;
use std::process::Command;

use super::apt;
use super::progress::Progress;
use crate::error::Error;

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
