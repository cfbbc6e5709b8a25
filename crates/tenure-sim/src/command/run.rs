//! `run`: many seeds, on all cores.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use tenure_sim::clock::Nanos;
use tenure_sim::fleet::{Failure, Fleet};
use tenure_sim::log::Log;
use tenure_sim::seed::{self, Bug};

use super::bar::{bar, cores, hush_panics};
use super::{mutants, replay};

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs many seeds; each that breaks a promise gets one line and an event log.
    Run(Run),
    /// Runs one seed again and tells what happens in it.
    Replay(replay::Replay),
    /// Looks, for every seeded bug, for a seed that notices it.
    Mutants(mutants::Mutants),
}

impl Command {
    pub(crate) fn run(self) -> ExitCode {
        match self {
            Self::Run(run) => run.run(),
            Self::Replay(replay) => replay.run(),
            Self::Mutants(mutants) => mutants.run(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// How many seeds.
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    start: u64,
    /// How many threads; all cores if nothing is said.
    #[arg(long, default_value_t = cores())]
    jobs: usize,
    /// A rule to break, by its short name.
    #[arg(long, value_parser = bug)]
    flaw: Option<Bug>,
}

/// Reads a bug's short name.
pub(super) fn bug(code: &str) -> Result<Bug, String> {
    let all = || Bug::all().map(Bug::code).collect::<Vec<_>>().join(" ");
    Bug::by_code(code).ok_or_else(|| format!("no seeded bug has this name; there are {}", all()))
}

impl Run {
    fn run(self) -> ExitCode {
        hush_panics();
        let bar = bar(self.seeds);
        let began = Instant::now();
        let fleet = Fleet {
            start: self.start,
            seeds: self.seeds,
            jobs: self.jobs,
            bug: self.flaw,
            stop_at_first: false,
        };
        let failures = fleet.run(|done| bar.set_position(done));
        bar.finish_and_clear();
        let took = began.elapsed().as_secs_f64();
        println!(
            "{} seeds in {took:.1} s ({:.0} per second): {} broke a promise",
            self.seeds,
            self.seeds as f64 / took,
            failures.len()
        );
        failures.iter().take(20).for_each(|failure| report(failure, self.flaw));
        if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// One line that replays the seed; the event log goes to a file.
fn report(failure: &Failure, flaw: Option<Bug>) {
    let flag = flaw.map_or(String::new(), |bug| format!(" --flaw {}", bug.code()));
    println!("cargo xtask sim --seed {}{flag}   # {}", failure.seed, failure.violation);
    if let Err(error) = write_log(failure.seed, flaw) {
        eprintln!("the event log of seed {} could not be written: {error}", failure.seed);
    }
}

fn write_log(seed: u64, flaw: Option<Bug>) -> io::Result<()> {
    let mut log = Log::recording();
    seed::run_until(seed, flaw, Nanos::MAX, &mut log);
    let folder = PathBuf::from("target/sim");
    fs::create_dir_all(&folder)?;
    let mut file = io::BufWriter::new(fs::File::create(folder.join(format!("{seed}.jsonl")))?);
    for line in log.lines() {
        serde_json::to_writer(&mut file, line)?;
        file.write_all(b"\n")?;
    }
    file.flush()
}
