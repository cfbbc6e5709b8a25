//! `run`: many seeds, on all cores.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use tenure_sim::bug::Bug;
use tenure_sim::fleet::{Failure, Fleet, Trial};
use tenure_sim::log::Log;

use super::{mutants, replay};

/// Where event logs go.
const LOGS: &str = "target/sim";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs many seeds; each that breaks a promise gets one line and an event log.
    Run(Run),
    /// Runs one seed again, or reads its event log, and tells what happens in it.
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
    /// Run the shipped library, with its driver and handlers: slower, and nearer to what users run.
    #[arg(long)]
    library: bool,
    /// Run a member's helpers, which hold its child processes, on a modelled kernel.
    #[arg(long, conflicts_with = "library")]
    supervisor: bool,
    /// Run the journal, on names and on rows.
    #[arg(long, conflicts_with_all = ["library", "supervisor"])]
    journal: bool,
}

/// What a run is of.
#[derive(Clone, Copy, Debug)]
struct Matter {
    trial: Trial,
    flaw: Option<Bug>,
}

/// Reads a bug's short name.
pub(super) fn bug(code: &str) -> Result<Bug, String> {
    let all = || Bug::all().map(Bug::code).collect::<Vec<_>>().join(" ");
    Bug::by_code(code).ok_or_else(|| format!("no seeded bug has this name; there are {}", all()))
}

impl Run {
    fn trial(&self) -> Trial {
        match (self.library, self.supervisor, self.journal) {
            (true, _, _) => Trial::Library,
            (false, true, _) => Trial::Supervisor,
            (false, false, true) => Trial::Journal,
            (false, false, false) => Trial::Machines,
        }
    }

    fn run(self) -> ExitCode {
        hush_panics();
        if let Some(bug) = self.flaw.filter(|bug| !self.trial().can_have(*bug)) {
            eprintln!(
                "{} breaks no rule of what is run here; `mutants` looks for it where it can show",
                bug.code()
            );
            return ExitCode::FAILURE;
        }
        let bar = bar(self.seeds);
        let began = Instant::now();
        let fleet = Fleet {
            start: self.start,
            seeds: self.seeds,
            jobs: self.jobs,
            trial: self.trial(),
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
        let matter = Matter { trial: fleet.trial, flaw: self.flaw };
        failures.iter().take(20).for_each(|failure| report(failure, matter));
        if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// One line that replays the seed; the event log goes to a file.
fn report(failure: &Failure, matter: Matter) {
    // The helpers leave no log: one seed of theirs is short, and its violation says how everything stood.
    if matter.trial == Trial::Supervisor {
        return println!("{}", replay_line(failure, matter));
    }
    let path = log_path(Path::new(LOGS), failure.seed, matter.trial);
    match write_log(&path, failure.seed, matter) {
        Ok(()) => println!("{}; its log: {}", replay_line(failure, matter), path.display()),
        Err(error) => {
            println!("{}", replay_line(failure, matter));
            eprintln!("{} could not be written: {error}", path.display());
        }
    }
}

/// A command that runs the seed again and tells what happens in it; a shell takes the rest for a remark.
fn replay_line(failure: &Failure, Matter { trial, flaw }: Matter) -> String {
    let flag = flaw.map_or(String::new(), |bug| format!(" --flaw {}", bug.code()));
    format!("cargo xtask sim --seed {}{flag}{}   # {}", failure.seed, option(trial), failure.violation)
}

fn option(trial: Trial) -> &'static str {
    match trial {
        Trial::Machines => "",
        Trial::Library => " --library",
        Trial::Supervisor => " --supervisor",
        Trial::Journal => " --journal",
    }
}

fn log_path(folder: &Path, seed: u64, trial: Trial) -> PathBuf {
    let kind = match trial {
        Trial::Machines | Trial::Supervisor => "",
        Trial::Library => "library-",
        Trial::Journal => "journal-",
    };
    folder.join(format!("{kind}{seed}.jsonl"))
}

fn write_log(path: &Path, seed: u64, Matter { trial, flaw }: Matter) -> io::Result<()> {
    let mut log = Log::recording();
    trial.run(seed, flaw, &mut log);
    log.write(path)
}

/// A bar over `seeds`, with seeds per second.
fn bar(seeds: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} seeds  {per_sec}  {eta} left  {msg}");
    let bar = ProgressBar::new(seeds);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// How many threads to use when nothing is said: one for each core.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Panics inside a seed are findings, not noise.
pub(super) fn hush_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;

    use clap::Parser;

    use super::super::replay::{Replay, tell};
    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        replay: Replay,
    }

    fn replay(words: &[&str]) -> Replay {
        Words::try_parse_from([&["replay"], words].concat()).unwrap().replay
    }

    /// A seed that breaks a promise because of a flaw.
    fn failing(trial: Trial) -> (Failure, Matter) {
        let flaw = Bug::by_code(if trial == Trial::Journal { "R09" } else { "M06" });
        let fleet = Fleet { start: 0, seeds: 200, jobs: 1, trial, bug: flaw, stop_at_first: true };
        (fleet.run(|_| ()).remove(0), Matter { trial, flaw })
    }

    fn folder() -> PathBuf {
        std::env::temp_dir().join(format!("tenure-sim-{}", std::process::id()))
    }

    #[test]
    fn the_printed_line_breaks_the_same_promise_again() {
        for trial in [Trial::Machines, Trial::Library, Trial::Journal] {
            let (failure, matter) = failing(trial);
            let line = replay_line(&failure, matter);
            let (command, remark) = line.split_once('#').unwrap();
            let words: Vec<&str> =
                command.strip_prefix("cargo xtask sim ").unwrap().split_whitespace().collect();
            let again = replay(&words);
            assert_eq!((again.seed, again.flaw), (Some(failure.seed), matter.flaw));
            let story = again.story().unwrap();
            assert!(story.broken);
            assert_eq!(story.end, format!("seed {} breaks{remark}", failure.seed));
        }
    }

    #[test]
    fn the_written_log_is_stepped_through_without_the_seed() {
        let (failure, matter) = failing(Trial::Machines);
        let path = log_path(&folder(), failure.seed, matter.trial);
        write_log(&path, failure.seed, matter).unwrap();
        let told = replay(&[path.to_str().unwrap()]).story().unwrap();
        fs::remove_dir_all(folder()).unwrap();

        let mut log = Log::recording();
        matter.trial.run(failure.seed, matter.flaw, &mut log);
        assert_eq!(told.lines, log.lines());
        assert_eq!(told.end, format!("breaks {}", failure.violation));

        let mut keys = Cursor::new("\n".repeat(told.lines.len() + 1));
        let mut out = Vec::new();
        tell(&told.lines, true, &mut out, &mut keys).unwrap();
        assert_eq!(keys.position(), told.lines.len() as u64, "one key for each line");
        assert!(String::from_utf8(out).unwrap().contains(&failure.violation.to_string()));
    }

    #[test]
    fn a_log_is_told_up_to_a_time() {
        let path = folder().with_extension("until").join("1.jsonl");
        write_log(&path, 1, Matter { trial: Trial::Machines, flaw: None }).unwrap();
        let told = replay(&[path.to_str().unwrap(), "--until", "5"]).story().unwrap();
        let whole = replay(&[path.to_str().unwrap()]).story().unwrap();
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
        assert!(told.lines.len() < whole.lines.len());
        assert!(told.lines.iter().all(|line| line.at_us <= 5_000_000));
        assert!(!whole.broken);
    }

    #[test]
    fn a_log_that_is_not_there_is_named() {
        assert!(replay(&["no/such.jsonl"]).story().unwrap_err().contains("no/such.jsonl"));
    }
}
