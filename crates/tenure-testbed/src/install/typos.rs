//! typos: a checker of spelling, as a program of Python's package index.

use std::path::{Path, PathBuf};

use super::once::once;
use super::path;
use super::progress::Progress;
use super::python;
use crate::error::Error;

const FOLDER: &str = "typos-1.51.1";
const PACKAGE: &str = "typos==1.51.1";

/// The checker of spelling: the machine's own, or else one that is fetched.
///
/// # Errors
///
/// When it can't be fetched.
pub fn typos() -> Result<PathBuf, Error> {
    if let Some(own) = path::find("typos") {
        return Ok(own);
    }
    let progress = Progress::of("typos");
    let make = |folder: &Path| python::environment(folder, &[PACKAGE], &progress);
    once(FOLDER, &progress, make).map(|folder| folder.join("bin/typos"))
}
