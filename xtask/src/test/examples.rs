//! Runs every example to its end: an example that hangs or fails is a bug in what the reader sees first.

use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::targets;
use crate::cargo::{WITHOUT_FLAWS, built, root, run_cargo};

/// No example takes longer; one that does has hung.
const LIMIT: Duration = Duration::from_secs(120);

/// These want the address of a server; the guide's page about them says it, and the step `guide` plays that page.
const PLAYED: [&str; 2] = ["fence_postgres", "fence_s3"];

/// The simulator's example is built as the simulator is, and lies beside it.
const SIMULATOR: [&str; 7] = ["build", "--locked", "--profile", "sim", "-p", "tenure-sim", "--examples"];

pub(crate) fn run_each() -> Result<(), String> {
    let built = built()?;
    let beside = built.with_file_name("sim");
    run_cargo(&[&["build"][..], &WITHOUT_FLAWS, &["--examples"]].concat())?;
    run_cargo(&SIMULATOR)?;
    run_all(&built.join("examples"), |package| !package.ends_with("tenure-sim"))?;
    run_all(&beside.join("examples"), |package| package.ends_with("tenure-sim"))
}

fn run_all(folder: &Path, of: impl Fn(&Path) -> bool) -> Result<(), String> {
    let mut names = targets::of("examples", of)?;
    names.retain(|name| !PLAYED.contains(&name.as_str()));
    if names.is_empty() {
        return Err(format!("there is no example to be run from {}", folder.display()));
    }
    names.iter().try_for_each(|name| run(name, &folder.join(name)))
}

fn run(name: &str, program: &Path) -> Result<(), String> {
    println!("-- example {name}");
    let child = Command::new(program).current_dir(root()).spawn();
    let mut child = child.map_err(|error| format!("can't run the example {name}: {error}"))?;
    match wait(&mut child, LIMIT) {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("the example {name} ended with {status}")),
        None => Err(format!("the example {name} did not end within {LIMIT:?}")),
    }
}

/// Waits for `child`, at most for `limit`; then ends it and answers `None`.
fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < limit {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_ended() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        assert_eq!(wait(&mut child, Duration::from_millis(50)), None);
        assert!(child.try_wait().unwrap().is_some());
    }

    #[test]
    fn a_program_that_ends_tells_how() {
        let mut child = Command::new("false").spawn().unwrap();
        assert!(!wait(&mut child, Duration::from_secs(60)).unwrap().success());
    }
}
