//! Programs that a step needs and a machine rarely has: compiled once, at a fixed version, and kept.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{cargo, run};

/// Where the program of the crate `name` is. Compiles it unless that was done: a minute or two of a core, for it is not optimised.
pub(super) fn compiled(name: &str, version: &str) -> Result<PathBuf, String> {
    let compiled = tenure_testbed::cached(&format!("{name}-{version}"), |folder| {
        println!("{name} is not installed; compiling it once into {}", folder.display());
        run(install(name, version, folder))?;
        // What it was made of is ten times its size.
        std::fs::remove_dir_all(folder.join("build")).map_err(|error| format!("can't tidy up: {error}"))
    });
    compiled.map(|folder| folder.join("bin").join(name)).map_err(|error| error.to_string())
}

fn install(name: &str, version: &str, folder: &Path) -> Command {
    let mut command = cargo(&["install", "--debug", "--locked", "--quiet", name, "--version", version]);
    let path = |path: PathBuf| OsString::from(path);
    command.arg("--root").arg(path(folder.to_owned())).arg("--target-dir").arg(path(folder.join("build")));
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_compiled_into_its_folder_at_a_fixed_version() {
        let command = install("cargo-deny", "1.2.3", Path::new("/t"));
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        assert!(words.windows(2).any(|pair| pair == ["--version", "1.2.3"]), "{words:?}");
        assert!(words.windows(2).any(|pair| pair == ["--root", "/t"]), "{words:?}");
        assert!(words.contains(&"--locked".to_owned()), "{words:?}");
    }
}
