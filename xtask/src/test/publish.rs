//! What the registry will get: every published crate packs, with its licences and readme and without what its users don't need, and
//! compiles with the lowest Rust that it promises.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::step::Outcome;
use crate::cargo::{cargo, root, run as run_program, run_cargo, target};

/// The crates that are published, each after those that it needs.
pub(crate) const PUBLISHED: [&str; 5] =
    ["tenure-core", "tenure", "tenure-stores", "tenure-dashboard", "tenure-cli"];

/// What is in every crate.
const NEEDED: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Where all else of a crate lies; what cargo adds has no folder.
const FOLDERS: [&str; 3] = ["src", "examples", "assets"];

/// Packs every crate, without compiling what was packed: that takes as long as building it.
pub(crate) fn pack() -> Outcome {
    let problems: Vec<String> = PUBLISHED.iter().flat_map(|name| contents(name)).collect();
    if !problems.is_empty() {
        return Outcome::Failed(problems.join("; "));
    }
    let crates = PUBLISHED.iter().flat_map(|name| ["-p", name]);
    let args = ["package", "--quiet", "--locked", "--no-verify", "--allow-dirty"].into_iter().chain(crates);
    run_cargo(&args.collect::<Vec<_>>()).into()
}

/// What is wrong with what a crate would contain.
fn contents(name: &str) -> Vec<String> {
    let listing = cargo(&["package", "--quiet", "--locked", "--list", "--allow-dirty", "-p", name]).output();
    match listing {
        Ok(output) if output.status.success() => judge(name, &String::from_utf8_lossy(&output.stdout)),
        Ok(output) => vec![format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim())],
        Err(error) => vec![format!("{name}: can't list what it contains: {error}")],
    }
}

fn judge(name: &str, listing: &str) -> Vec<String> {
    let files: Vec<&str> = listing.lines().collect();
    let absent = NEEDED.iter().filter(|needed| !files.contains(needed));
    let strange =
        files.iter().filter(|file| file.split_once('/').is_some_and(|(top, _)| !FOLDERS.contains(&top)));
    let absent = absent.map(|file| format!("{name}: {file} is not in the package"));
    absent.chain(strange.map(|file| format!("{name}: no user needs {file}; see `include`"))).collect()
}

/// Checks the published crates, with everything that they can be built with, by the lowest Rust that they promise.
pub(crate) fn lowest_rust() -> Outcome {
    let version = match promised(&root()) {
        Ok(version) => version,
        Err(problem) => return Outcome::Failed(problem),
    };
    if !has_rust(&version) {
        return Outcome::Skipped(format!(
            "there is no Rust {version} here; `rustup toolchain install {version} --profile minimal`"
        ));
    }
    run_program(check(&version)).into()
}

/// The lowest Rust by the manifest of the workspace.
fn promised(root: &Path) -> Result<String, String> {
    let manifest = root.join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest)
        .map_err(|error| format!("can't read {}: {error}", manifest.display()))?;
    let table: toml::Table = text.parse().map_err(|error| format!("{}: {error}", manifest.display()))?;
    let version = || table.get("workspace")?.get("package")?.get("rust-version")?.as_str();
    version().map(str::to_owned).ok_or_else(|| "Cargo.toml promises no rust-version".into())
}

fn has_rust(version: &str) -> bool {
    let mut command = Command::new("rustup");
    command.args(["run", version, "cargo", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn check(version: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", version, "cargo", "check", "--locked", "--all-features"]);
    command.args(PUBLISHED.iter().flat_map(|name| ["-p", name])).current_dir(root());
    // Beside what the usual compiler built, which would be thrown away otherwise.
    let folder: PathBuf = target().join("lowest-rust");
    command.env("CARGO_TARGET_DIR", folder).env_remove("CARGO").env_remove("RUSTC");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_its_licences_and_readme_and_none_of_our_tests() {
        let whole = "Cargo.lock\nCargo.toml\nLICENSE-APACHE\nLICENSE-MIT\nREADME.md\nsrc/lib.rs\n";
        assert_eq!(judge("x", whole), [""; 0]);
        let poor = "Cargo.toml\nLICENSE-APACHE\nREADME.md\nsrc/lib.rs\ntests/it/main.rs\n";
        assert_eq!(
            judge("x", poor),
            ["x: LICENSE-MIT is not in the package", "x: no user needs tests/it/main.rs; see `include`"]
        );
    }

    #[test]
    fn every_crate_is_published_or_says_that_it_is_not() {
        let manifests = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
        for folder in manifests {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let kept = manifest.contains("\npublish = false\n");
            assert_ne!(kept, PUBLISHED.contains(&name.as_str()), "{name}");
        }
    }

    #[test]
    fn the_lowest_rust_is_what_the_manifest_promises() {
        let version = promised(&root()).unwrap();
        assert!(version.split('.').count() >= 2, "{version}");
        let words: Vec<String> =
            check(&version).get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        assert!(words.join(" ").starts_with(&format!("run {version} cargo check --locked")), "{words:?}");
    }
}
