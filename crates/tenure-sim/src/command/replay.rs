//! `replay`: one seed again, or the event log that it left behind, in words.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use tenure_sim::Violation;
use tenure_sim::bug::Bug;
use tenure_sim::clock::Nanos;
use tenure_sim::fleet::Trial;
use tenure_sim::log::{Line, Log};
use tenure_sim::machine_sim;

use super::run::{bug, hush_panics};

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The event log of a seed that broke a promise, as `run` wrote it.
    #[arg(required_unless_present = "seed")]
    log: Option<PathBuf>,
    /// The seed.
    #[arg(long, conflicts_with = "log")]
    pub(super) seed: Option<u64>,
    /// Stop at this virtual time, in seconds.
    #[arg(long)]
    until: Option<f64>,
    /// Wait for the return key after each line.
    #[arg(long)]
    step: bool,
    /// A rule to break, by its short name.
    #[arg(long, value_parser = bug, conflicts_with = "log")]
    pub(super) flaw: Option<Bug>,
    /// The seed was one of the shipped library.
    #[arg(long, conflicts_with = "log")]
    library: bool,
    /// The seed was one of the journal.
    #[arg(long, conflicts_with_all = ["log", "library"])]
    journal: bool,
}

/// What there is to tell, and how it ends.
#[derive(Debug)]
pub(super) struct Story {
    pub(super) lines: Vec<Line>,
    pub(super) end: String,
    pub(super) broken: bool,
}

impl Replay {
    pub(crate) fn run(self) -> ExitCode {
        hush_panics();
        let story = match self.story() {
            Ok(story) => story,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        // Whoever reads may stop reading; that is no error.
        let _ = tell(&story.lines, self.step, &mut io::stdout().lock(), &mut io::stdin().lock());
        println!("{}", story.end);
        if story.broken { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    pub(super) fn story(&self) -> Result<Story, String> {
        let until = self.until.map_or(Nanos::MAX, |seconds| (seconds * 1e9) as Nanos);
        match (&self.log, self.seed) {
            (Some(path), _) => of_log(path, until),
            (None, Some(seed)) if self.library => Ok(of_trial(Trial::Library, seed, self.flaw, until)),
            (None, Some(seed)) if self.journal => Ok(of_trial(Trial::Journal, seed, self.flaw, until)),
            (None, Some(seed)) => Ok(of_seed(seed, self.flaw, until)),
            (None, None) => Err("name a seed, or the event log of one".into()),
        }
    }
}

fn of_seed(seed: u64, flaw: Option<Bug>, until: Nanos) -> Story {
    let mut log = Log::recording();
    let violation = machine_sim::run(seed, flaw, until, &mut log);
    Story { lines: log.lines().to_vec(), end: end(seed, violation.as_ref()), broken: violation.is_some() }
}

fn of_trial(trial: Trial, seed: u64, flaw: Option<Bug>, until: Nanos) -> Story {
    let mut log = Log::recording();
    let violation = trial.run(seed, flaw, &mut log);
    let lines = log.lines().iter().filter(|line| line.at_us <= until / 1_000).cloned().collect();
    Story { lines, end: end(seed, violation.as_ref()), broken: violation.is_some() }
}

fn end(seed: u64, violation: Option<&Violation>) -> String {
    match violation {
        Some(violation) => format!("seed {seed} breaks {violation}"),
        None => format!("seed {seed} keeps every promise"),
    }
}

fn of_log(path: &Path, until: Nanos) -> Result<Story, String> {
    let mut lines = Log::read(path).map_err(|error| format!("{} can't be read: {error}", path.display()))?;
    lines.retain(|line| line.at_us <= until / 1_000);
    let verdict = lines.iter().rfind(|line| line.who == "judge").map(|line| line.what.clone());
    let broken = verdict.is_some();
    Ok(Story {
        lines,
        end: verdict.map_or_else(|| "no verdict up to here".into(), |v| format!("breaks {v}")),
        broken,
    })
}

/// Writes the lines; with `step`, each waits for a line of `keys`.
pub(super) fn tell(
    lines: &[Line],
    step: bool,
    out: &mut impl Write,
    keys: &mut impl BufRead,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    for line in lines {
        writeln!(out, "{:>12.6}  {:<6} {}", line.at_us as f64 / 1e6, line.who, line.what)?;
        if step {
            out.flush()?;
            keys.read_line(&mut String::new())?;
        }
    }
    out.flush()
}
