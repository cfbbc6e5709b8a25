//! Calls the simulator, always built in the profile `sim`: optimised, with every assertion kept.

use crate::cargo::run_cargo;
use crate::cli::{MutantArgs, SimArgs};

const SIMULATOR: [&str; 7] = ["run", "-q", "--locked", "--profile", "sim", "-p", "tenure-sim"];

pub(crate) fn run(order: &SimArgs) -> Result<(), String> {
    call(&words(order))
}

pub(crate) fn mutants(order: &MutantArgs) -> Result<(), String> {
    let first = std::iter::once("mutants".to_owned());
    call(&first.chain(order.rest.iter().cloned()).collect::<Vec<_>>())
}

/// Simulates `seeds` seeds from the first.
pub(crate) fn seeds(seeds: u64) -> Result<(), String> {
    call(&["run".into(), "--seeds".into(), seeds.to_string()])
}

/// How many seeds the step `library` runs: each costs as much as ten of the machines alone.
const LIBRARY_SEEDS: u64 = 1_000;

/// Runs the shipped library in virtual time.
pub(crate) fn library() -> Result<(), String> {
    call(&["run".into(), "--library".into(), "--seeds".into(), LIBRARY_SEEDS.to_string()])
}

fn call(words: &[String]) -> Result<(), String> {
    let rest = words.iter().map(String::as_str);
    run_cargo(&SIMULATOR.into_iter().chain(["--"]).chain(rest).collect::<Vec<_>>())
}

fn words(order: &SimArgs) -> Vec<String> {
    let mut words = match (order.seed, &order.log) {
        // One seed of the helpers is short: it is run again as many are.
        (Some(seed), _) if order.supervisor => {
            ["run", "--seeds", "1", "--start", &seed.to_string()].map(str::to_owned).into()
        }
        (Some(seed), _) => vec!["replay".into(), "--seed".into(), seed.to_string()],
        (None, Some(log)) => vec!["replay".into(), log.clone()],
        (None, None) => vec!["run".into(), "--seeds".into(), order.seeds.to_string()],
    };
    let options = [
        ("--start", order.start.map(|start| start.to_string())),
        ("--jobs", order.jobs.map(|jobs| jobs.to_string())),
        ("--flaw", order.flaw.clone()),
        ("--until", order.until.map(|until| until.to_string())),
    ];
    for (name, value) in options {
        words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
    }
    words.extend(order.step.then(|| "--step".to_owned()));
    words.extend(order.library.then(|| "--library".to_owned()));
    words.extend(order.supervisor.then(|| "--supervisor".to_owned()));
    words.extend(order.journal.then(|| "--journal".to_owned()));
    words
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::words;
    use crate::cli::{Cli, Verb};

    fn spoken(line: &str) -> String {
        let Verb::Sim(order) = Cli::try_parse_from(line.split(' ')).unwrap().verb else { panic!("{line}") };
        words(&order).join(" ")
    }

    #[test]
    fn seeds_are_run() {
        assert_eq!(spoken("xtask sim --seeds 50 --jobs 2"), "run --seeds 50 --jobs 2");
        assert_eq!(spoken("xtask sim --seeds 5 --start 9 --flaw M01"), "run --seeds 5 --start 9 --flaw M01");
        assert_eq!(spoken("xtask sim --seeds 5 --library"), "run --seeds 5 --library");
    }

    #[test]
    fn one_seed_is_replayed() {
        assert_eq!(spoken("xtask sim --seed 4711"), "replay --seed 4711");
        assert_eq!(spoken("xtask sim --seed 4711 --flaw X1"), "replay --seed 4711 --flaw X1");
        assert_eq!(spoken("xtask sim --seed 4711 --library"), "replay --seed 4711 --library");
    }

    #[test]
    fn helpers_are_run_by_many_seeds_or_by_one() {
        assert_eq!(
            spoken("xtask sim --supervisor --seeds 5 --jobs 2"),
            "run --seeds 5 --jobs 2 --supervisor"
        );
        let one = "run --seeds 1 --start 7 --flaw H03 --supervisor";
        assert_eq!(spoken("xtask sim --supervisor --seed 7 --flaw H03"), one);
        for words in ["--library", "--seed 7 --step", "--log a.jsonl"] {
            let line = format!("xtask sim --supervisor {words}");
            assert!(Cli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }

    #[test]
    fn seeds_of_the_journal_are_run_and_replayed() {
        assert_eq!(spoken("xtask sim --journal --seeds 5"), "run --seeds 5 --journal");
        assert_eq!(spoken("xtask sim --journal --seed 7 --flaw R04"), "replay --seed 7 --flaw R04 --journal");
        assert!(Cli::try_parse_from(["xtask", "sim", "--journal", "--library"]).is_err());
    }

    #[test]
    fn a_replay_goes_step_by_step_and_up_to_a_time() {
        assert_eq!(spoken("xtask sim --seed 7 --until 12.5 --step"), "replay --seed 7 --until 12.5 --step");
        assert_eq!(spoken("xtask sim --log target/sim/7.jsonl --step"), "replay target/sim/7.jsonl --step");
    }

    #[test]
    fn only_a_replay_has_steps() {
        for words in ["--step", "--until 3", "--seeds 9 --step", "--log a.jsonl --seed 1"] {
            let line = format!("xtask sim {words}");
            assert!(Cli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }

    #[test]
    fn one_seed_and_many_exclude_each_other() {
        assert!(Cli::try_parse_from(["xtask", "sim", "--seed", "1", "--seeds", "2"]).is_err());
    }
}
