//! `replay`: one seed again, in words.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use clap::Args;
use tenure_sim::clock::Nanos;
use tenure_sim::log::{Line, Log};
use tenure_sim::seed::{self, Bug};

use super::bar::hush_panics;
use super::run::bug;

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The seed.
    #[arg(long)]
    seed: u64,
    /// Stop at this virtual time, in seconds.
    #[arg(long)]
    until: Option<f64>,
    /// Wait for the return key after each line.
    #[arg(long)]
    step: bool,
    /// A rule to break, by its short name.
    #[arg(long, value_parser = bug)]
    flaw: Option<Bug>,
}

impl Replay {
    pub(crate) fn run(self) -> ExitCode {
        hush_panics();
        let mut log = Log::recording();
        let until = self.until.map_or(Nanos::MAX, |seconds| (seconds * 1e9) as Nanos);
        let violation = seed::run_until(self.seed, self.flaw, until, &mut log);
        // Whoever reads may stop reading; that is no error.
        let _ = self.print(log.lines());
        match violation {
            Some(violation) => {
                println!("seed {} breaks {violation}", self.seed);
                ExitCode::FAILURE
            }
            None => {
                println!("seed {} keeps every promise", self.seed);
                ExitCode::SUCCESS
            }
        }
    }

    fn print(&self, lines: &[Line]) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut keys = io::stdin().lock();
        for line in lines {
            writeln!(out, "{:>12.6}  {:<6} {}", line.at_us as f64 / 1e6, line.who, line.what)?;
            if self.step {
                out.flush()?;
                keys.read_line(&mut String::new())?;
            }
        }
        out.flush()
    }
}
