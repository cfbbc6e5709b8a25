//! The dashboard's page in a real browser: what is needed for that is fetched here, and nothing of it lies in the tree.
//!
//! A test that can't run proves nothing, so where Node.js or Chromium can't be had the step fails, and names the command that
//! would bring them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tenure_testbed::Kind;
use xxhash_rust::xxh3::xxh3_64;

use super::selection::Selection;
use crate::cargo::{WITHOUT_FLAWS, built, root, run, run_cargo, target};

/// The tests, and the list of packages that they need.
const TESTS: &str = "crates/tenure-dashboard/browser";

/// The file whose figures are in the guide.
const MEASURES: &str = "large.test.js";

/// Where Chromium may be.
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const GET_NODE: &str = "apt-get install -y nodejs npm";
const GET_BROWSER: [&str; 5] = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"];

/// Runs all tests of the page; where no etcd may be started, all but those that start one.
pub(crate) fn check(selection: &Selection) -> Result<(), String> {
    node()?;
    browser()?;
    let etcd = match selection.why_without_own(Kind::Etcd) {
        Some(why) => Err(why),
        None => Ok(etcd()?),
    };
    let packages = packages()?;
    program()?;
    types(&packages)?;
    tests(&packages, etcd)
}

/// The program as the other tests have it: on its own it would be compiled with other features, and most of what it needs again.
fn program() -> Result<(), String> {
    run_cargo(&[&["test"][..], &WITHOUT_FLAWS, &["--no-run", "--test", "up"]].concat())
}

fn node() -> Result<(), String> {
    for program in ["node", "npm"] {
        let answer =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !answer.is_ok_and(|status| status.success()) {
            return Err(format!("{program} is not installed: {GET_NODE}"));
        }
    }
    Ok(())
}

fn browser() -> Result<(), String> {
    if BROWSERS.iter().any(|path| Path::new(path).exists()) {
        return Ok(());
    }
    println!("there is no Chromium here: {}", GET_BROWSER.join(" "));
    let mut command = Command::new(GET_BROWSER[0]);
    command.args(&GET_BROWSER[1..]).env("DEBIAN_FRONTEND", "noninteractive");
    run(command).map_err(|error| format!("{error}; the tests need Chromium: {}", GET_BROWSER.join(" ")))
}

/// Some tests kill the store and bring it back, or write into it by hand: into that of the servers which starts fastest.
fn etcd() -> Result<PathBuf, String> {
    let programs = tenure_testbed::etcd::programs().map_err(|error| error.to_string())?;
    Ok(programs.join("etcd"))
}

/// The folder with the packages of the lock file; they are installed once for each state of it.
fn packages() -> Result<PathBuf, String> {
    let list = root().join(TESTS).join("package-lock.json");
    let wanted = fs::read(&list).map_err(|error| format!("can't read {}: {error}", list.display()))?;
    let state = format!("browser-{:016x}", xxh3_64(&wanted));
    tenure_testbed::cached(&state, install).map_err(|error| error.to_string())
}

fn install(folder: &Path) -> Result<(), String> {
    for name in ["package.json", "package-lock.json"] {
        let copied = fs::copy(root().join(TESTS).join(name), folder.join(name));
        copied.map_err(|error| format!("can't copy {name} to {}: {error}", folder.display()))?;
    }
    println!("$ npm ci, in {}", folder.display());
    let mut command = Command::new("npm");
    command.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder);
    run(command)
}

/// The page's scripts say their types in comments; they hold.
fn types(packages: &Path) -> Result<(), String> {
    println!("$ tsc -p {TESTS}");
    let mut command = Command::new("node");
    command.arg(packages.join("node_modules/typescript/bin/tsc")).args(["-p", TESTS]).current_dir(root());
    run(command)
}

/// Two files at once, for each mostly waits: for its own cluster, and for its own browser. The one that measures comes last, alone.
fn tests(packages: &Path, etcd: Result<PathBuf, String>) -> Result<(), String> {
    if let Err(why) = &etcd {
        println!("tests that start etcd are {why}; each is named below with these words");
    }
    let (alone, others): (Vec<String>, Vec<String>) = files()?.into_iter().partition(|name| name == MEASURES);
    let ended = [&others, &alone].map(|files| node_test(files, packages, &etcd).and_then(run));
    ended.into_iter().collect()
}

/// The files with tests, in order.
fn files() -> Result<Vec<String>, String> {
    let listed = fs::read_dir(root().join(TESTS)).map_err(|error| format!("can't list {TESTS}: {error}"))?;
    let names = listed.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".test.js")).collect();
    files.sort();
    Ok(files)
}

fn node_test(files: &[String], packages: &Path, etcd: &Result<PathBuf, String>) -> Result<Command, String> {
    println!("$ node --test {}, in {TESTS}", files.join(" "));
    let mut command = Command::new("node");
    command
        .args(["--test", "--test-concurrency=2", "--test-timeout=300000", "--test-reporter=spec"])
        .args(files)
        .current_dir(root().join(TESTS))
        .env("TENURE_PROGRAM", built()?.join("tenure"))
        .env("BROWSER_PACKAGES", packages)
        .env("BROWSER_PICTURES", target().join("screenshots"));
    match etcd {
        Ok(program) => command.env("ETCD_PROGRAM", program).env_remove("ETCD_SKIPPED"),
        Err(why) => command.env("ETCD_SKIPPED", why),
    };
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_measures_is_one_of_them() {
        let files = files().unwrap();
        assert!(files.iter().any(|name| name == MEASURES), "{files:?}");
        assert!(files.iter().all(|name| name.ends_with(".test.js")));
    }
}
