//! cargo-deny: the licences and sources of dependencies, and what is known to be wrong with them.
//!
//! The program is the machine's own, or is compiled once into the cache that clones share. The list of known holes is fetched each time; where that
//! can't be done, the list that is there counts, and where there is none the run says openly that nobody looked.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::step::Outcome;
use crate::cargo::{cargo, has_subcommand, root, run};

const VERSION: &str = "0.20.2";

/// Licences, sources and bans.
pub(crate) fn policy() -> Outcome {
    checked(&["--locked", "check", "bans", "licenses", "sources"])
}

/// Known holes, by RustSec's list.
pub(crate) fn advisories() -> Outcome {
    if call(&["fetch", "db"]).is_ok_and(ends_well) {
        return checked(&["--locked", "check", "advisories"]);
    }
    match list() {
        None => Outcome::Skipped(
            "nobody looked for known holes: RustSec's list is not here and can't be fetched".into(),
        ),
        Some(list) => {
            println!("the list of known holes can't be fetched; the one in {} counts", list.display());
            checked(&["--locked", "--offline", "check", "advisories"])
        }
    }
}

fn checked(args: &[&str]) -> Outcome {
    match call(args) {
        Err(problem) => Outcome::Skipped(format!("cargo-deny can't be had: {problem}")),
        Ok(command) => {
            println!("$ cargo deny {}", args.join(" "));
            run(command).into()
        }
    }
}

/// A call of cargo-deny.
fn call(args: &[&str]) -> Result<Command, String> {
    if has_subcommand("deny") {
        return Ok(cargo(&[&["deny"], args].concat()));
    }
    let mut command = Command::new(installed()?);
    command.args(args).current_dir(root());
    Ok(command)
}

/// Compiles it, unless that was done: under two minutes of a core, for it is not optimised.
fn installed() -> Result<PathBuf, String> {
    let compiled = tenure_testbed::cached(&format!("cargo-deny-{VERSION}"), |folder| {
        println!("cargo-deny is not installed; compiling it once into {}", folder.display());
        run(install(folder))?;
        // What it was made of is ten times its size.
        std::fs::remove_dir_all(folder.join("build")).map_err(|error| format!("can't tidy up: {error}"))
    });
    compiled.map(|folder| folder.join("bin/cargo-deny")).map_err(|error| error.to_string())
}

fn install(folder: &Path) -> Command {
    let mut command =
        cargo(&["install", "--debug", "--locked", "--quiet", "cargo-deny", "--version", VERSION]);
    let path = |path: PathBuf| OsString::from(path);
    command.arg("--root").arg(path(folder.to_owned())).arg("--target-dir").arg(path(folder.join("build")));
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    command
}

fn ends_well(mut command: Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Where cargo-deny keeps RustSec's list, if it is there.
fn list() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let lists = std::fs::read_dir(home.join("advisory-dbs")).ok()?;
    lists.flatten().map(|entry| entry.path()).find(|path| path.join("crates").is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_compiled_at_a_fixed_version_into_a_folder_of_its_own() {
        let command = install(Path::new("/t"));
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        assert!(words.windows(2).any(|pair| pair == ["--version", VERSION]), "{words:?}");
        assert!(words.windows(2).any(|pair| pair == ["--root", "/t"]), "{words:?}");
        assert!(words.contains(&"--locked".to_owned()), "{words:?}");
    }
}
