//! The test binaries of the workspace, for the runner that can only be told what to run, not what to leave out.

use std::fs;
use std::path::{Path, PathBuf};

use tenure_bed::Kind;

use crate::cargo::root;

/// The simulator's own tests run optimised, in a step of their own.
const APART: &str = "tenure-sim";

/// The names of all test binaries but those of these stores.
pub(crate) fn all_but(skipped: &[Kind]) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for package in entries(&root().join("crates"))? {
        let tests = package.join("tests");
        if tests.is_dir() && !package.ends_with(APART) {
            names.extend(entries(&tests)?.iter().filter_map(|path| binary(path)));
        }
    }
    names.retain(|name| skipped.iter().all(|store| store.test_binary() != name));
    names.sort();
    names.dedup();
    Ok(names)
}

/// A test binary is `name.rs`, or a folder with a `main.rs`.
fn binary(path: &Path) -> Option<String> {
    let is_one = path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").is_file();
    is_one.then(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).flatten()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let say = |error| format!("can't list {}: {error}", folder.display());
    let listed = fs::read_dir(folder).map_err(say)?;
    listed.map(|entry| entry.map(|entry| entry.path()).map_err(say)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_a_skipped_store_are_left_out_and_all_others_stay() {
        let all = all_but(&[]).unwrap();
        let fewer = all_but(&[Kind::Postgres]).unwrap();
        assert!(all.contains(&"postgres".to_owned()) && all.contains(&"etcd".to_owned()));
        assert_eq!(fewer.len() + 1, all.len());
        assert!(!fewer.contains(&"postgres".to_owned()));
    }
}
