//! The steps, in their order, and what each of them calls.
//!
//! Nothing here writes into the tree: `--locked` keeps the lock file, `--check` the layout. The simulator's and the
//! model's tests run in the profile `sim` only, for they search far; all others run in the dev profile.

use std::process::{Command, ExitCode};
use std::rc::Rc;

use super::ahead::Ahead;
use super::selection::Selection;
use super::step::{Outcome, Step, run_all};
use super::{api, browser, deny, examples, guide, kafka, publish, storms, tidy};
use crate::cargo::{WITHOUT_FLAWS, cargo, root, run as run_program, run_cargo};
use crate::cli::TestArgs;
use crate::verb::{servers, sim};

pub(crate) fn run(choice: &TestArgs) -> Result<ExitCode, String> {
    let servers = Rc::new(servers::OfRun::without(&choice.skip_store));
    let ahead = Rc::new(Ahead::default());
    let steps = steps(choice, &Selection::without(&choice.skip_store)?, &servers, &ahead);
    if choice.list {
        steps.iter().for_each(|step| println!("{:<12}{}", step.name, step.what));
        return Ok(ExitCode::SUCCESS);
    }
    known(&steps, &choice.only)?;
    known(&steps, &choice.skip)?;
    let wanted = |step: &Step| {
        let named = |names: &[String]| names.iter().any(|name| name == step.name);
        (choice.only.is_empty() || named(&choice.only)) && !named(&choice.skip)
    };
    let steps: Vec<Step> = steps.into_iter().filter(wanted).collect();
    if steps.iter().any(|step| step.name == SERVERS) {
        servers.prepare();
    }
    ahead.look_at(steps.iter().map(|step| step.name));
    let ended = run_all(&steps);
    servers.end()?;
    Ok(ended)
}

fn known(steps: &[Step], names: &[String]) -> Result<(), String> {
    match names.iter().find(|name| steps.iter().all(|step| step.name != *name)) {
        None => Ok(()),
        Some(name) => Err(format!("there is no step {name:?}; `cargo xtask test --list` names them")),
    }
}

const SERVERS: &str = "servers";

fn steps(
    choice: &TestArgs,
    selection: &Selection,
    servers: &Rc<servers::OfRun>,
    ahead: &Rc<Ahead>,
) -> Vec<Step> {
    let (seeds, blows, servers, ahead) = (choice.seeds, choice.blows, Rc::clone(servers), Rc::clone(ahead));
    let [spared, chosen, seen, read] = [(); 4].map(|()| selection.clone());
    let pages = choice.page.clone();
    let mut steps = vec![
        Step::new("tidy", "style, links, licences", || tidy::check(&root()).into()),
        Step::new("fmt", "layout of the code", || cargo_step(&["fmt", "--all", "--check"])),
        Step::new("tls", "no second TLS stack creeps in", || no_package("aws-lc-sys").into()),
        Step::new("deny", "licences and sources of dependencies", deny::policy),
        Step::new("advisories", "known holes of dependencies", deny::advisories),
        Step::new("typos", "spelling", typos),
        Step::new("package", "what is published can be packed, with its licences", publish::pack),
        Step::new("clippy", "lints, all targets", clippy),
        Step::new("lean", "lints without the simulator's and the default features", lean),
        Step::new("build", "all programs, libraries and tests", build),
        // Before the first step that wants the machine to itself: one of the servers may still be compiling beside us.
        Step::new(SERVERS, "the real servers that stores are tested on", move || servers.up().into()),
        Step::new("storms", "fleets of real processes under random blows, on every store", move || {
            ahead.begin();
            storms::run(&spared, blows).into()
        }),
        Step::new("tests", "all other unit and integration tests", move || chosen.test().into()),
        Step::new("browser", "the dashboard's page in a real browser", move || browser::check(&seen).into()),
        Step::new("guide", "every command of README and guide, as a reader would run it", move || {
            guide::check(&read.skipped, &pages).into()
        }),
        Step::new("doctests", "examples in the documentation", || {
            cargo_step(&[&["test"][..], &WITHOUT_FLAWS, &["--doc"]].concat())
        }),
        Step::new("rustdoc", "documentation without warnings", rustdoc),
        Step::new("examples", "every example, to its end", || examples::run_each().into()),
        Step::new("model", "the simulator's and the model's own tests, optimised", model),
        Step::new("sim", "simulated clusters with faults", move || sim::seeds(seeds).into()),
        Step::new("library", "the shipped library in virtual time, with faults", || sim::library().into()),
        Step::new("mutants", "every seeded flaw is noticed", || {
            sim::mutants(&crate::cli::MutantArgs { rest: Vec::new() }).into()
        }),
    ];
    if choice.all {
        steps.push(Step::new("api", "what crates show their users is what docs/api says", api::check));
        steps.push(Step::new(
            "msrv",
            "what is published compiles with the lowest Rust",
            publish::lowest_rust,
        ));
        steps.push(Step::new("kafka", "the guide's example of fencing, on a real Kafka", kafka::check));
    }
    steps.extend(selection.left_out());
    steps
}

fn cargo_step(args: &[&str]) -> Outcome {
    run_cargo(args).into()
}

fn clippy() -> Outcome {
    cargo_step(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

/// All that later steps run. Benches are not run here, and clippy has read them.
fn build() -> Outcome {
    cargo_step(&[&["build"][..], &WITHOUT_FLAWS, &["--lib", "--bins", "--tests", "--examples"]].concat())
}

/// In a build of the whole workspace the simulator switches the core's seeded flaws on; users never see that build. Nor do
/// all of them want the default features.
fn lean() -> Outcome {
    let users = ["--workspace", "--exclude", "tenure-sim", "--exclude", "xtask"];
    cargo_step(
        &[&["clippy", "--locked", "--no-default-features"][..], &users, &["--", "-D", "warnings"]].concat(),
    )
}

fn model() -> Outcome {
    cargo_step(&["test", "--locked", "--profile", "sim", "-p", "tenure-sim", "--lib", "--bins", "--tests"])
}

fn rustdoc() -> Outcome {
    let args = ["doc", "--locked", "--workspace", "--no-deps"];
    println!("$ RUSTDOCFLAGS='-D warnings' cargo {}", args.join(" "));
    let mut command = cargo(&args);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run_program(command).into()
}

/// Passes when no package of that name is anywhere in the tree of dependencies.
fn no_package(name: &str) -> Result<(), String> {
    let lock = root().join("Cargo.lock");
    let text = std::fs::read_to_string(lock).map_err(|error| format!("can't read Cargo.lock: {error}"))?;
    let listed = text.lines().any(|line| line == format!("name = \"{name}\""));
    if !listed {
        return Ok(());
    }
    let args = ["tree", "--locked", "--workspace", "--all-features", "--target", "all", "-i", name];
    let _ = run_cargo(&args);
    Err(format!("{name} is in the tree; choose features that use ring"))
}

fn typos() -> Outcome {
    let program = match tenure_testbed::typos() {
        Ok(program) => program,
        Err(problem) => return Outcome::Skipped(format!("typos can't be had: {problem}")),
    };
    let mut command = Command::new(program);
    command.current_dir(root());
    run_program(command).into()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Verb};

    fn steps_of(line: &str) -> Vec<Step> {
        let Verb::Test(choice) = Cli::try_parse_from(line.split(' ')).unwrap().verb else { panic!("{line}") };
        let selection = Selection::with(&choice.skip_store, [].into_iter()).unwrap();
        steps(&choice, &selection, &Rc::new(servers::OfRun::without(&choice.skip_store)), &Rc::default())
    }

    #[test]
    fn every_step_has_its_own_name() {
        let mut names: Vec<_> = steps_of("xtask test").iter().map(|step| step.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn every_step_is_in_a_job_of_a_workflow() {
        for (line, workflows, call) in [
            ("xtask test", &["test.yml"][..], "cargo xtask test --only "),
            ("xtask test --all", &["test.yml", "nightly.yml"], "cargo xtask test --all --only "),
        ] {
            let read =
                |name: &&str| std::fs::read_to_string(root().join(".github/workflows").join(name)).unwrap();
            let text: String = workflows.iter().map(read).collect();
            let jobs = text.lines().filter_map(|line| line.split_once(call));
            let named: Vec<String> =
                jobs.flat_map(|(_, names)| names.split(',').map(str::to_owned)).collect();
            let (steps, usual) = (steps_of(line), steps_of("xtask test"));
            let is_usual = |name: &str| line != "xtask test" && usual.iter().any(|step| step.name == name);
            let wanted = steps.iter().map(|step| step.name).filter(|name| !is_usual(name));
            let unnamed: Vec<&str> = wanted.filter(|name| !named.iter().any(|one| one == name)).collect();
            assert_eq!(unnamed, [""; 0], "{workflows:?}");
            assert_eq!(known(&steps, &named), Ok(()), "{workflows:?}");
        }
    }

    #[test]
    fn an_unknown_step_is_refused() {
        let steps = steps_of("xtask test");
        assert!(known(&steps, &["simm".into()]).is_err());
        assert!(known(&steps, &["sim".into()]).is_ok());
    }

    #[test]
    fn a_store_that_is_left_out_is_said_to_be() {
        let steps = steps_of("xtask test --skip-store etcd --skip-store object");
        let skipped: Vec<_> = steps.iter().skip_while(|step| step.name != "mutants").skip(1).collect();
        assert_eq!(skipped.iter().map(|step| step.name).collect::<Vec<_>>(), ["etcd", "s3"]);
        assert!(matches!((skipped[0].run)(), Outcome::Skipped(why) if why.contains("--skip-store etcd")));
    }
}
