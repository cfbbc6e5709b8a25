//! `tenure audit FILE…`: proves from histories that no shard had two owners, or refutes it.

mod proof;
mod tenure_of;
mod verdict;

#[cfg(test)]
mod audit_tests;

use std::path::PathBuf;

use verdict::{Finding, report};

use crate::command::time;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{history, talk};

/// Prove or refute, from history files, that no two owners overlapped
///
/// Merges the files that members wrote with --history, and checks for each shard that nobody acted before the former owner had
/// ended, and that epochs grew. Ends with 1 and the offending pair if not, and with 7 if the files tell of no tenure. Histories of one machine are compared by its boot-time
/// clock; of several machines by their wall clocks, which is as good as those are.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure audit ada.jsonl ben.jsonl
  tenure audit --strict --json ada.jsonl ben.jsonl
  tenure audit --skew 50ms host1/ada.jsonl host2/ben.jsonl")]
pub(crate) struct Args {
    /// The files, of all members
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// By how much the wall clocks of different machines may disagree
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = time::any)]
    skew: std::time::Duration,
    /// Refuse a history in which somebody's end is missing, too
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let lines = history::read(&self.files)?;
        let verdict = proof::judge(&lines, self.skew);
        talk::data(&if self.json { verdict.json() } else { report(&verdict, Paint::for_data()) })?;
        Ok(match verdict.finding() {
            Finding::Proven => Exit::Done,
            Finding::Open if self.strict => Exit::No,
            Finding::Open => Exit::Done,
            Finding::Refuted => Exit::No,
            Finding::Nothing => Exit::Nothing,
        })
    }
}
