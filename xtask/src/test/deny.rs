//! cargo-deny: the licences and sources of dependencies, and what is known to be wrong with them.
//!
//! The program is the machine's own, or is compiled once into the cache that clones share. The list of known holes is fetched each time; where that
//! can't be done, the list that is there counts, and where there is none the run says openly that nobody looked.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::step::Outcome;
use super::tool;
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
    let mut command = Command::new(tool::compiled("cargo-deny", VERSION)?);
    command.args(args).current_dir(root());
    Ok(command)
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
