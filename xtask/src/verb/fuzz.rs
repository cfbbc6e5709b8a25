//! `cargo xtask fuzz`: every target of every crate, for as long as is wanted, from fresh seeds.
//!
//! A target is a test whose name begins with `fuzz_`; nothing has to be listed here. In the test command each is run a few hundred
//! times from one seed. Here the time is divided among them, and what they find is kept under `target/fuzz`.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cargo::{cargo, run as run_program};
use crate::cli::FuzzArgs;

/// What the names of all targets have in common.
const TARGETS: &str = "fuzz_";

/// Read by the targets: `tenure_fuzz::MILLIS` and `tenure_fuzz::SEED`.
const MILLIS: &str = "TENURE_FUZZ_MILLIS";
const SEED: &str = "TENURE_FUZZ_SEED";

pub(crate) fn run(order: &FuzzArgs) -> Result<(), String> {
    let targets = targets(order)?;
    if targets == 0 {
        return Err("there is no target: name a package that has one".into());
    }
    let millis = share_ms(order.minutes, targets, order.jobs);
    let seed = order.seed.unwrap_or_else(fresh_seed);
    println!("{targets} targets, {:.1} s each, {} at once, seed {seed}", millis as f64 / 1e3, order.jobs);
    let mut command = tests(order);
    command.args(["--nocapture", "--test-threads", &order.jobs.to_string()]);
    command.env(MILLIS, millis.to_string()).env(SEED, seed.to_string());
    run_program(command)
}

/// How long each target may run, if so many run at once.
fn share_ms(minutes: f64, targets: usize, jobs: usize) -> u64 {
    let turns = targets.div_ceil(jobs.max(1)).max(1);
    (minutes * 60_000.0 / turns as f64) as u64
}

/// The tests of the packages that were named, or of all: optimised, with every assertion kept.
fn tests(order: &FuzzArgs) -> Command {
    let mut command =
        cargo(&["test", "-q", "--locked", "--no-fail-fast", "--profile", "sim", "--lib", "--bins"]);
    if order.package.is_empty() {
        command.arg("--workspace");
    }
    for package in &order.package {
        command.args(["--package", package]);
    }
    command.args(["--", TARGETS]);
    command
}

fn targets(order: &FuzzArgs) -> Result<usize, String> {
    let mut command = tests(order);
    command.arg("--list");
    let told = command.output().map_err(|error| format!("can't list the targets: {error}"))?;
    if !told.status.success() {
        return Err(format!("can't build the targets:\n{}", String::from_utf8_lossy(&told.stderr)));
    }
    Ok(String::from_utf8_lossy(&told.stdout).lines().filter(|line| line.ends_with(": test")).count())
}

fn fresh_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::share_ms;

    #[test]
    fn the_time_is_divided_among_the_turns() {
        assert_eq!(share_ms(10.0, 5, 1), 120_000);
        assert_eq!(share_ms(10.0, 5, 2), 200_000);
        assert_eq!(share_ms(0.5, 1, 8), 30_000);
    }
}
