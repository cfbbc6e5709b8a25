//! What cargo builds from a folder of a crate, such as `tests` or `examples`, found by cargo's own rule.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo::root;

/// The targets in the folder `name` of every crate that `wanted` lets pass, in order.
pub(crate) fn of(name: &str, wanted: impl Fn(&Path) -> bool) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for package in entries(&root().join("crates"))?.into_iter().filter(|package| wanted(package)) {
        let folder = package.join(name);
        if folder.is_dir() {
            names.extend(entries(&folder)?.iter().filter_map(|path| target(path)));
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// A target is `name.rs`, or a folder with a `main.rs`.
fn target(path: &Path) -> Option<String> {
    let is_one = path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").is_file();
    is_one.then(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).flatten()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let say = |error| format!("can't list {}: {error}", folder.display());
    let listed = fs::read_dir(folder).map_err(say)?;
    listed.map(|entry| entry.map(|entry| entry.path()).map_err(say)).collect()
}
