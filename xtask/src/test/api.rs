//! What each published crate shows its users, kept in `docs/api`: whoever changes that sees it in the same commit.
//!
//! The lists are made by cargo-public-api from rustdoc's JSON, which only a nightly compiler writes. Where there is none, the
//! step says openly that nobody compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::step::Outcome;
use super::tool;
use crate::cargo::{root, target};

const VERSION: &str = "0.52.0";

/// The crates that users depend on, and which of their features are shown.
const CRATES: [(&str, &str); 4] =
    [("tenure-core", ""), ("tenure", "testing"), ("tenure-stores", "all"), ("tenure-dashboard", "")];

/// Compares the crates with what is kept of them.
pub(crate) fn check() -> Outcome {
    if !has_nightly() {
        return Outcome::Skipped("there is no nightly compiler; `rustup toolchain install nightly`".into());
    }
    let program = match tool::compiled("cargo-public-api", VERSION) {
        Ok(program) => program,
        Err(problem) => return Outcome::Skipped(format!("cargo-public-api can't be had: {problem}")),
    };
    let differing = CRATES.iter().filter_map(|(name, features)| {
        let kept = fs::read_to_string(list(name)).unwrap_or_default();
        match listed(&program, name, features) {
            Ok(found) => (found != kept).then(|| difference(name, &kept, &found)),
            Err(problem) => Some(problem),
        }
    });
    let differing: Vec<String> = differing.collect();
    if differing.is_empty() { Outcome::Passed } else { Outcome::Failed(differing.join("; ")) }
}

/// Writes down what the crates show now.
pub(crate) fn write() -> Result<(), String> {
    let program = tool::compiled("cargo-public-api", VERSION)?;
    for (name, features) in CRATES {
        let (list, found) = (list(name), listed(&program, name, features)?);
        fs::write(&list, found).map_err(|error| format!("can't write {}: {error}", list.display()))?;
    }
    Ok(())
}

fn list(name: &str) -> PathBuf {
    root().join("docs/api").join(format!("{name}.txt"))
}

/// What `name` shows, a line for each thing, without what every type has by itself.
fn listed(program: &Path, name: &str, features: &str) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(["public-api", "-sss", "--package", name]).current_dir(root());
    if !features.is_empty() {
        command.args(["--features", features]);
    }
    let output = command.env("CARGO_TARGET_DIR", target().join("api")).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("can't run cargo-public-api: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo-public-api ended with {} on {name}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{name}: {error}"))
}

/// How many lines came and went, each of them shown.
fn difference(name: &str, kept: &str, found: &str) -> String {
    let without = |some: &str, other: &str| -> Vec<String> {
        some.lines().filter(|line| !other.lines().any(|known| known == *line)).map(str::to_owned).collect()
    };
    let (gone, come) = (without(kept, found), without(found, kept));
    gone.iter().for_each(|line| println!("- {line}"));
    come.iter().for_each(|line| println!("+ {line}"));
    let counts = format!("{} lines came and {} went", come.len(), gone.len());
    format!("{name} is not what docs/api/{name}.txt says: {counts}; if so meant, `cargo xtask api`")
}

fn has_nightly() -> bool {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "rustc", "--version"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_and_what_went_is_counted() {
        let told = difference("tenure", "a\nb\n", "b\nc\nd\n");
        assert!(told.contains("2 lines came and 1 went"), "{told}");
        assert!(told.ends_with("if so meant, `cargo xtask api`"), "{told}");
    }

    #[test]
    fn every_crate_that_users_depend_on_is_listed() {
        for (name, _) in CRATES {
            assert!(list(name).is_file(), "{name}");
        }
    }
}
