//! The storms: real processes under random blows, on every store.
//!
//! They mostly wait for leases to end: one takes a fifth of a core. So those of the library rage side by side, each store's by a cargo
//! of its own, and then those of `tenure run`, which are threads of one.

use std::io::{self, Write};
use std::process::{Command, Output};
use std::thread;

use tenure_testbed::Kind;

use super::selection::Selection;
use crate::cargo::{WITHOUT_FLAWS, cargo, run as run_program, run_cargo};

/// The module of every storm.
pub(crate) const STORM: &str = "storm::";

/// Read by the storms: how many blows fall instead of what is usual.
const BLOWS: &str = "TENURE_BLOWS";

/// The test binary of `tenure run`.
const SUPERVISOR: &str = "run";

/// As many storms of `tenure run` rage at once.
const AT_ONCE: &str = "6";

/// Lets all storms rage but those on stores that are left out; both kinds, whatever became of the first. Those of the library strike
/// servers too, which must be their own.
pub(crate) fn run(selection: &Selection, blows: Option<usize>) -> Result<(), String> {
    let library = side_by_side(&stores(&selection.without_own()), blows);
    let supervisor = run_program(told(&words(&[SUPERVISOR], &apart(&selection.skipped)), blows));
    library.and(supervisor)
}

/// Compiles all, lets all rage at once, and shows what each had to say when it is over.
fn side_by_side(stores: &[&str], blows: Option<usize>) -> Result<(), String> {
    let named: Vec<&str> = stores.iter().flat_map(|name| ["--test", *name]).collect();
    run_cargo(&[&["test"][..], &WITHOUT_FLAWS, &["--no-run"], &named].concat())?;
    let ended: Vec<Result<(), String>> = thread::scope(|scope| {
        let rage = |store: &&str| told(&words(&[*store], &[]), blows).output();
        let raging: Vec<_> = stores.iter().map(|store| scope.spawn(move || rage(store))).collect();
        let over = raging.into_iter().map(|storm| storm.join().expect("nothing panics beside a command"));
        over.zip(stores).map(|(output, store)| shown(store, output)).collect()
    });
    ended.into_iter().collect()
}

fn shown(store: &str, output: io::Result<Output>) -> Result<(), String> {
    let output = output.map_err(|error| format!("can't run the storm on {store}: {error}"))?;
    println!("-- the storm on {store}");
    // Whoever reads our output may have gone; that is no failure of the storm.
    let _ = io::stdout().write_all(&output.stdout).and_then(|()| io::stderr().write_all(&output.stderr));
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("the storm on {store} ended with {}", output.status)),
    }
}

fn told(words: &[String], blows: Option<usize>) -> Command {
    println!("$ cargo {}", words.join(" "));
    let mut command = cargo(&words.iter().map(String::as_str).collect::<Vec<_>>());
    command.envs(blows.map(|blows| (BLOWS, blows.to_string())));
    command
}

fn words(binaries: &[&str], rest: &[String]) -> Vec<String> {
    let named = binaries.iter().flat_map(|name| ["--test", *name]);
    let words = ["test"].into_iter().chain(WITHOUT_FLAWS).chain(["--no-fail-fast"]).chain(named);
    words.chain(["--", STORM]).map(Into::into).chain(rest.iter().cloned()).collect()
}

/// The test binaries of the stores.
fn stores(skipped: &[Kind]) -> Vec<&'static str> {
    let stores = ["sqlite", "folder"].into_iter().chain(Kind::ALL.map(Kind::test_binary));
    stores.filter(|name| skipped.iter().all(|store| store.test_binary() != *name)).collect()
}

/// How the storms of `tenure run` are told to rage at once, and what to leave out.
fn apart(skipped: &[Kind]) -> Vec<String> {
    let skip = skipped.iter().flat_map(|store| ["--skip".to_owned(), format!("records_on_{store}")]);
    ["--test-threads".to_owned(), AT_ONCE.into()].into_iter().chain(skip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_is_left_out_has_no_storm() {
        assert_eq!(stores(&[Kind::S3]), ["sqlite", "folder", "etcd", "kubernetes", "postgres"]);
        assert_eq!(apart(&[Kind::S3]), ["--test-threads", "6", "--skip", "records_on_s3"]);
    }

    #[test]
    fn every_store_has_a_storm_of_tenure_run_that_can_be_left_out() {
        let storms = include_str!("../../../crates/tenure-cli/tests/run/storm.rs");
        for store in Kind::ALL {
            assert!(storms.contains(&format!("fn neither_with_records_on_{store}()")), "{store}");
        }
    }
}
