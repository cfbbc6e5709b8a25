//! A Python that knows XXH3, for tests of what the guide says to people who route in Python.

use std::path::{Path, PathBuf};

use super::once::once;
use super::progress::Progress;
use super::python;
use crate::error::Error;

const FOLDER: &str = "xxhash-4.1.0";
const PACKAGE: &str = "xxhash==4.1.0";

/// An interpreter that has the package `xxhash`, fetched once.
///
/// # Errors
///
/// When it can't be fetched.
pub fn python_with_xxhash() -> Result<PathBuf, Error> {
    let progress = Progress::of("xxhash");
    let make = |folder: &Path| python::environment(folder, &[PACKAGE], &progress);
    once(FOLDER, &progress, make).map(|folder| folder.join("bin/python"))
}
