//! Which tests are run: all, but those of stores that are left out, and those that start a server where one was given.
//!
//! A test that hurts a server starts one of its own, and for that the server's programs must be installed. Where the environment
//! gives a server, nothing is installed. The tests that share it run on it; the others are left out, and the summary says so.

use std::path::Path;
use std::{fs, io, thread};

use tenure_testbed::{Kind, servers};

use super::step::{Outcome, Step};
use super::storms::STORM;
use super::targets;
use crate::cargo::{WITHOUT_FLAWS, has_subcommand, root, run_cargo};

/// The simulator's own tests run optimised, in a step of their own.
const APART: &str = "tenure-sim";

/// What the tests of stores are, one folder for each binary.
const TESTS: &str = "crates/tenure-stores/tests";

/// The stores that a run does not test, or not wholly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Left out altogether.
    pub(crate) skipped: Vec<Kind>,
    /// Tested on a server that is not ours.
    given: Vec<Given>,
}

#[derive(Clone, Debug)]
struct Given {
    kind: Kind,
    /// The modules whose tests start servers of their own.
    own: Vec<String>,
}

impl Selection {
    /// Without these stores, and with the servers that the environment gives.
    pub(crate) fn without(skipped: &[Kind]) -> Result<Self, String> {
        let given = |kind: &Kind| servers::given(*kind).is_some() && !skipped.contains(kind);
        Self::with(skipped, Kind::ALL.into_iter().filter(given))
    }

    /// The same, with servers of these kinds given.
    pub(crate) fn with(skipped: &[Kind], given: impl Iterator<Item = Kind>) -> Result<Self, String> {
        let given = given.map(|kind| Ok(Given { kind, own: own_modules(kind)? }));
        Ok(Self { skipped: skipped.to_vec(), given: given.collect::<Result<_, String>>()? })
    }

    /// The stores for which nobody may start a server here.
    pub(crate) fn without_own(&self) -> Vec<Kind> {
        self.skipped.iter().copied().chain(self.given.iter().map(|given| given.kind)).collect()
    }

    /// Why no server of this kind is started here, if that is so.
    pub(crate) fn why_without_own(&self, kind: Kind) -> Option<String> {
        if self.skipped.contains(&kind) {
            return Some(format!("left out by --skip-store {kind}"));
        }
        let given = self.given.iter().find(|given| given.kind == kind)?;
        Some(format!("left out since {} gives a server that is not ours", given.kind.variable()))
    }

    /// What a run goes without stands in its summary.
    pub(crate) fn left_out(&self) -> Vec<Step> {
        let skipped = self.skipped.iter().map(|kind| {
            let why = format!("its server and its tests, by --skip-store {kind}");
            Step::new(kind.name(), "a store that is left out", move || Outcome::Skipped(why.clone()))
        });
        let given = self.given.iter().map(|Given { kind, own }| {
            let why = format!("tests that start its server, by {}: {}", kind.variable(), own.join(", "));
            Step::new(kind.name(), "a server that is not ours", move || Outcome::Skipped(why.clone()))
        });
        skipped.chain(given).collect()
    }

    /// Runs all tests but storms. With nextest where it is installed: each test in its own process. Else with cargo's own runner: the
    /// same tests.
    pub(crate) fn test(&self) -> Result<(), String> {
        if has_subcommand("nextest") {
            let how = ["--test-threads", &at_once(), "-E", &self.filter()];
            return run_cargo(&[&["nextest", "run"][..], &WITHOUT_FLAWS, &how].concat());
        }
        println!("cargo-nextest is not installed; cargo's own runner does");
        let all = targets::of("tests", |package| !package.ends_with(APART))?;
        let how = ["--test-threads".to_owned(), at_once()];
        let call =
            |words: Vec<String>| run_cargo(&words.iter().chain(&how).map(String::as_str).collect::<Vec<_>>());
        let ended: Vec<_> = self.runs(&all).into_iter().map(call).collect();
        ended.into_iter().collect()
    }

    /// For nextest: what to run.
    fn filter(&self) -> String {
        let none = self.without_own().into_iter().map(|kind| format!("not test(/^{}/)", of_testbed(kind)));
        let skipped = self.skipped.iter().map(|kind| format!("not binary({})", kind.test_binary()));
        let given = self.given.iter().map(|Given { kind, own }| {
            format!("not (binary({}) and test(/^({})::/))", kind.test_binary(), own.join("|"))
        });
        let all = [format!("not test({STORM})")].into_iter().chain(none).chain(skipped).chain(given);
        all.collect::<Vec<_>>().join(" and ")
    }

    /// For cargo's own runner, which can only be told what to run: what follows `cargo`. A store on a server that was given has a run
    /// of its own, since what is left out there is called the same elsewhere.
    fn runs(&self, binaries: &[String]) -> Vec<Vec<String>> {
        let without = self.without_own();
        let others = binaries.iter().filter(|name| without.iter().all(|kind| kind.test_binary() != **name));
        let named = others.flat_map(|name| ["--test", name]);
        let what: Vec<&str> =
            ["--lib", "--bins", "--example", "own_store"].into_iter().chain(named).collect();
        let mut runs = vec![words(&what, without.iter().map(|kind| of_testbed(*kind)))];
        runs.extend(self.given.iter().map(|Given { kind, own }| {
            words(&["--test", kind.test_binary()], own.iter().map(|module| format!("{module}::")))
        }));
        runs
    }
}

/// The tests of the testbed itself that start a server of this kind.
fn of_testbed(kind: Kind) -> String {
    format!("own_{kind}::")
}

fn words(what: &[&str], skip: impl Iterator<Item = String>) -> Vec<String> {
    let command = ["test"].iter().chain(&WITHOUT_FLAWS).chain(&["--no-fail-fast"]).chain(what);
    let skip = [STORM.to_owned()].into_iter().chain(skip).flat_map(|name| ["--skip".to_owned(), name]);
    command.map(|word| (*word).to_owned()).chain(["--".to_owned()]).chain(skip).collect()
}

/// How many tests run at once. Most wait, for servers, processes and leases: those of `tenure run` need a fifth of a core each.
fn at_once() -> String {
    (2 * thread::available_parallelism().map_or(1, usize::from)).to_string()
}

/// The modules of a store's tests that start servers of their own: those that take more of the testbed's server than its address.
fn own_modules(kind: Kind) -> Result<Vec<String>, String> {
    let folder = root().join(TESTS).join(kind.test_binary());
    let say = |error| format!("can't read {}: {error}", folder.display());
    let mut modules = Vec::new();
    for entry in fs::read_dir(&folder).map_err(say)? {
        let path = entry.map_err(say)?.path();
        if starts_one(&source_of(&path).map_err(say)?, kind) {
            modules.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    modules.sort();
    Ok(modules)
}

/// The text of a module that is a file, or of all files of one that is a folder.
fn source_of(module: &Path) -> io::Result<String> {
    if !module.is_dir() {
        return fs::read_to_string(module);
    }
    fs::read_dir(module)?.map(|file| source_of(&file?.path())).collect()
}

/// Such a file imports the testbed's module of that server.
fn starts_one(text: &str, kind: Kind) -> bool {
    let module = format!("{kind}::");
    text.lines().any(|line| line.starts_with("use tenure_testbed::") && line.contains(&module))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binaries() -> Vec<String> {
        ["etcd", "it", "postgres", "sqlite"].map(str::to_owned).into()
    }

    #[test]
    fn without_a_word_everything_is_run_but_the_storms() {
        let all = Selection::with(&[], [].into_iter()).unwrap();
        assert_eq!(all.filter(), "not test(storm::)");
        let runs: Vec<String> = all.runs(&binaries()).iter().map(|words| words.join(" ")).collect();
        let expected = "test --locked --workspace --exclude tenure-sim --no-fail-fast --lib --bins --example own_store \
                        --test etcd --test it --test postgres --test sqlite -- --skip storm::";
        assert_eq!(runs, [expected]);
        assert!(all.left_out().is_empty());
    }

    #[test]
    fn the_tests_of_a_skipped_store_are_left_out_and_all_others_stay() {
        let fewer = Selection::with(&[Kind::Postgres], [].into_iter()).unwrap();
        assert_eq!(
            fewer.filter(),
            "not test(storm::) and not test(/^own_postgres::/) and not binary(postgres)"
        );
        let runs: Vec<String> = fewer.runs(&binaries()).iter().map(|words| words.join(" ")).collect();
        assert_eq!(runs.len(), 1);
        let ends = "--test etcd --test it --test sqlite -- --skip storm:: --skip own_postgres::";
        assert!(runs[0].ends_with(ends), "{runs:?}");
    }

    #[test]
    fn on_a_server_that_was_given_only_the_tests_that_hurt_it_are_left_out() {
        let own = vec!["failover".to_owned(), "full".to_owned()];
        let given = Selection { skipped: Vec::new(), given: vec![Given { kind: Kind::Etcd, own }] };
        let filter = "not test(storm::) and not test(/^own_etcd::/) \
                      and not (binary(etcd) and test(/^(failover|full)::/))";
        assert_eq!(given.filter(), filter);
        let runs: Vec<String> = given.runs(&binaries()).iter().map(|words| words.join(" ")).collect();
        assert_eq!(runs.len(), 2);
        assert!(
            runs[0].ends_with("--test it --test postgres --test sqlite -- --skip storm:: --skip own_etcd::")
        );
        assert!(
            runs[1].ends_with("--test etcd -- --skip storm:: --skip failover:: --skip full::"),
            "{runs:?}"
        );
        let said = given.why_without_own(Kind::Etcd).unwrap();
        assert_eq!(said, "left out since TENURE_TEST_ETCD_URL gives a server that is not ours");
    }

    #[test]
    fn a_module_starts_a_server_when_it_imports_more_than_the_address() {
        for line in
            ["use tenure_testbed::etcd::{Cluster, Login};", "use tenure_testbed::{Kind, etcd::Cluster};"]
        {
            assert!(starts_one(line, Kind::Etcd), "{line}");
            assert!(!starts_one(line, Kind::S3), "{line}");
        }
        assert!(!starts_one("use tenure_testbed::Kind;\nuse tenure_testbed::proxy::Proxy;", Kind::Etcd));
    }

    #[test]
    fn every_server_can_be_given_and_compose_has_one_to_give() {
        let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
        let (page, urls, compose) =
            (read("CONTRIBUTING.md"), read("deploy/test/urls.sh"), read("compose.yaml"));
        let compose: serde_json::Value = serde_saphyr::from_str(&compose).unwrap();
        for kind in Kind::ALL {
            assert!(page.contains(&format!("| `{}` |", kind.variable())), "{kind}");
            let line = urls.lines().find(|line| line.contains(kind.variable())).unwrap();
            let service = if kind == Kind::Etcd { "etcd-0" } else { kind.name() };
            let port = compose["services"][service]["ports"][0].as_str().unwrap();
            let seen = port.rsplit_once(':').unwrap().0;
            assert!(kind == Kind::Kubernetes || line.contains(seen), "{line} has no {seen}");
        }
    }

    #[test]
    fn every_store_has_tests_that_share_a_server_and_tests_that_start_one() {
        for kind in Kind::ALL {
            let own = own_modules(kind).unwrap();
            assert!(
                own.contains(&"storm".to_owned()) && !own.contains(&"suite".to_owned()),
                "{kind} {own:?}"
            );
            let file = root().join(format!("crates/tenure-testbed/tests/it/own_{kind}.rs"));
            assert!(file.is_file(), "{}", file.display());
        }
    }
}
