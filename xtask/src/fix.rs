//! Mends what tools can mend: layout first, then lints, then the layout of the mended lines.

use crate::cargo::run_cargo;

pub(crate) fn run() -> Result<(), String> {
    run_cargo(&["fmt", "--all"])?;
    run_cargo(&["clippy", "--workspace", "--all-targets", "--fix", "--allow-dirty", "--allow-staged"])?;
    run_cargo(&["fmt", "--all"])
}
