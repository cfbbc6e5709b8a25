//! Runs programs from the root of the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask lies in the workspace").to_path_buf()
}

/// Where built programs of the dev profile lie: beside this very program.
pub(crate) fn built() -> Result<PathBuf, String> {
    let me = std::env::current_exe().map_err(|error| format!("can't find my own path: {error}"))?;
    me.parent().map(Path::to_path_buf).ok_or_else(|| format!("{} has no folder", me.display()))
}

/// All packages but the simulator, which switches the seeded flaws of the core on: with it in one build, and without it in the next,
/// everything would be compiled twice.
pub(crate) const WITHOUT_FLAWS: [&str; 4] = ["--locked", "--workspace", "--exclude", "tenure-sim"];

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A call of the very cargo that runs us.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_about_us(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command
}

/// Cargo tells a program which package it was built from. Some build scripts read that and would run again, once for us and once for
/// whoever calls cargo by hand.
fn is_about_us(name: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start))
}

/// Runs `command` with its output in view; an error says how it ended.
pub(crate) fn run(mut command: Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("can't run {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", spoken(&command))) }
}

/// Runs `cargo` with its output in view.
pub(crate) fn run_cargo(args: &[&str]) -> Result<(), String> {
    println!("$ cargo {}", args.join(" "));
    run(cargo(args))
}

/// Whether `cargo <name>` is a program on this machine.
pub(crate) fn has_subcommand(name: &str) -> bool {
    answers(cargo(&[name, "--version"]))
}

fn answers(mut command: Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn spoken(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_else(|| command.get_program());
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    std::iter::once(program.to_string_lossy()).chain(args).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_is_told_is_what_it_is_told_by_hand() {
        let removed: Vec<_> =
            cargo(&["build"]).get_envs().map(|(name, value)| (name.to_owned(), value.is_none())).collect();
        assert!(removed.contains(&("CARGO_PKG_NAME".into(), true)), "{removed:?}");
        assert!(!is_about_us("CARGO_TARGET_DIR") && !is_about_us("CARGO_INCREMENTAL"));
    }
}
