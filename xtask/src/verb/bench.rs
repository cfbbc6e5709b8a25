//! Measures: criterion benches, and programs that measure real processes and print ratios and counts.
//!
//! Benches judge nothing: a loaded machine is no bug.

use crate::cargo::run_cargo;
use crate::cli::BenchArgs;

struct Bench {
    package: &'static str,
    name: &'static str,
    shows: &'static str,
}

const CORE: [Bench; 7] = [
    Bench { package: "tenure-core", name: "plan", shows: "time to plan, by shards and members" },
    Bench {
        package: "tenure-core",
        name: "event",
        shows: "what one member decides at each renewal, and when another ends",
    },
    Bench { package: "tenure", name: "check", shows: "an ownership check against one clock read" },
    Bench { package: "tenure", name: "idle", shows: "store calls while nothing moves, by number of shards" },
    Bench {
        package: "tenure-stores",
        name: "crowd",
        shows: "processor time of many members at rest on one file",
    },
    Bench { package: "tenure-stores", name: "failover", shows: "kill, freeze and join, with real processes" },
    Bench { package: "tenure-cli", name: "run", shows: "kill and move of children, and a thousand of them" },
];

/// Run once for each store whose server is up.
const STORES: [Bench; 2] = [
    Bench { package: "tenure-stores", name: "cost", shows: "what an idle cluster asks of its store" },
    Bench { package: "tenure-stores", name: "moves", shows: "planned moves and silent crashes" },
];

pub(crate) fn run(choice: &BenchArgs) -> Result<(), String> {
    match choice.suite.as_str() {
        "core" => run_core(choice),
        "stores" => run_stores(choice),
        unknown => Err(format!("there is no bench suite {unknown:?}; there are: core, stores")),
    }
}

/// The servers must be up already: a figure of a server that has just been started says little.
fn run_stores(choice: &BenchArgs) -> Result<(), String> {
    let urls = crate::verb::servers::urls()?;
    for bench in chosen(&STORES, &choice.only)? {
        for url in &urls {
            println!("\n== {}: {}", bench.name, bench.shows);
            let what = ["bench", "--locked", "-p", bench.package, "--features", "all", "--bench", bench.name];
            run_cargo(&[&what[..], &["--", "--store", url]].concat())?;
        }
    }
    Ok(())
}

fn run_core(choice: &BenchArgs) -> Result<(), String> {
    for bench in chosen(&CORE, &choice.only)? {
        println!("\n== {}: {}", bench.name, bench.shows);
        run_cargo(&["bench", "--locked", "-p", bench.package, "--bench", bench.name])?;
    }
    Ok(())
}

fn chosen(suite: &'static [Bench], only: &[String]) -> Result<Vec<&'static Bench>, String> {
    if let Some(unknown) = only.iter().find(|name| suite.iter().all(|bench| bench.name != *name)) {
        let names: Vec<&str> = suite.iter().map(|bench| bench.name).collect();
        return Err(format!("there is no bench {unknown:?} in this suite; there are: {}", names.join(", ")));
    }
    Ok(suite.iter().filter(|bench| only.is_empty() || only.iter().any(|name| name == bench.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::{CORE, chosen};

    #[test]
    fn an_unknown_bench_is_refused_by_name() {
        let refusal = chosen(&CORE, &["colour".into()]).err().unwrap();
        assert!(refusal.contains("colour") && refusal.contains("plan"), "{refusal}");
    }

    #[test]
    fn one_bench_can_be_chosen() {
        assert_eq!(chosen(&CORE, &["check".into()]).unwrap().len(), 1);
        assert_eq!(chosen(&CORE, &[]).unwrap().len(), CORE.len());
    }
}
