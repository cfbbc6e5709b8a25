//! `tenure journal check`: can every journal be opened, and is everything there?

use std::time::{Duration, Instant};

use serde::Serialize;
use tenure::Lineage;
use tenure::journal::{Damage, Fault, Journal, JournalError, Kept, Kind, Place, Seq};

use super::options::{Chosen, JournalOptions, failure};
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{format, runtime, talk};

/// How often somebody who waits is told how far this is.
const SAY_EVERY: Duration = Duration::from_secs(2);

/// Check that journals are whole: every entry since the snapshot, in order, with its sum
///
/// Reads all live entries and snapshots, and writes nothing; owners may work meanwhile. Ends with 1 if a journal is damaged, or of
/// another lineage than was said.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure journal check --journal sqlite:journal.db
  tenure journal check carts --json --journal s3://bucket/journals
  tenure journal check --lineage 5a1c0d7be2f94c30a8d16e05c97b42e7 --journal file:journals")]
pub(crate) struct Args {
    #[command(flatten)]
    options: JournalOptions,
    #[command(flatten)]
    chosen: Chosen,
    /// The founding that they should belong to, as `tenure journal stat` tells it
    #[arg(long, value_name = "LINEAGE", value_parser = lineage)]
    lineage: Option<Lineage>,
    /// Print JSON, a line for each journal
    #[arg(long)]
    json: bool,
}

fn lineage(text: &str) -> Result<Lineage, String> {
    let lineage = serde_json::from_value(text.into());
    lineage.map_err(|_| "a lineage is 32 hexadecimal digits, as `tenure journal stat` prints them".to_owned())
}

/// What was found at one place.
#[derive(Debug, Serialize)]
struct Finding {
    journal: String,
    shard: u32,
    entries: usize,
    records: usize,
    snapshot_bytes: Option<usize>,
    /// What is wrong with it.
    problem: Option<String>,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let journal = self.options.open().await?;
            let places = self.chosen.places(&*journal, &self.options).await?;
            let (mut sound, mut said_at) = (true, Instant::now());
            for (number, place) in places.iter().enumerate() {
                if said_at.elapsed() > SAY_EVERY {
                    said_at = Instant::now();
                    talk::say(&format!("{number} of {} checked", format::count(places.len(), "journal")));
                }
                let finding = self.finding(&*journal, place).await?;
                sound &= finding.problem.is_none();
                talk::data(&if self.json { format::json(&finding) } else { text(&finding) })?;
            }
            Ok(if sound { Exit::Done } else { Exit::No })
        })
    }

    async fn finding(&self, journal: &dyn Journal, place: &Place) -> Result<Finding, Failure> {
        let (kept, problem) = match journal.ahead(place).await {
            Ok(ahead) => {
                let problem = disorder(&ahead.kept).map(|damage| Fault::Damaged(damage).to_string());
                (ahead.kept, problem)
            }
            Err(JournalError::Ended(fault)) => (Kept::default(), Some(fault.to_string())),
            Err(error) => return Err(failure(error)),
        };
        let problem = match problem {
            None => self.foreign(journal, place).await?,
            Some(problem) => Some(problem),
        };
        Ok(Finding {
            journal: place.journal.to_string(),
            shard: place.shard.0,
            entries: kept.entries.len(),
            records: kept.records().count(),
            snapshot_bytes: kept.snapshot.as_ref().map(|snapshot| snapshot.state.len()),
            problem,
        })
    }

    async fn foreign(&self, journal: &dyn Journal, place: &Place) -> Result<Option<String>, Failure> {
        let Some(ours) = self.lineage else { return Ok(None) };
        let look = journal.look(place).await.map_err(failure)?;
        let theirs = look.map(|look| look.lineage).filter(|lineage| *lineage != ours);
        Ok(theirs.map(|lineage| Fault::Foreign(lineage).to_string()))
    }
}

/// Where numbers have a gap, epochs go back, or somebody writes who has not opened the journal.
fn disorder(kept: &Kept) -> Option<Damage> {
    let (mut next, mut author) = (kept.start(), None);
    for entry in &kept.entries {
        let opens = !matches!(entry.kind, Kind::Batch);
        let follows = author.is_none_or(|before: tenure::journal::Author| {
            if opens { before.epoch <= entry.author.epoch } else { before == entry.author }
        });
        if entry.seq != next {
            return Some(Damage::EntryGone(next));
        }
        if !follows {
            return Some(Damage::OutOfOrder(entry.seq));
        }
        (next, author) = (Seq(entry.seq.0 + 1), Some(entry.author));
    }
    None
}

fn text(finding: &Finding) -> String {
    let Finding { journal, shard, entries, records, snapshot_bytes, problem } = finding;
    let paint = Paint::for_data();
    let what = format!("{} of shard {shard}", format::plain(journal));
    match problem {
        Some(problem) => format!("  {}  {what}: {}\n", paint.bad("NO"), format::plain(problem)),
        None => {
            let snapshot =
                snapshot_bytes.map_or_else(String::new, |bytes| format!(", a snapshot of {bytes} bytes"));
            let entries = match entries {
                1 => "1 entry".to_owned(),
                entries => format!("{entries} entries"),
            };
            format!(
                "  {}  {what}: {entries}, {}{snapshot}\n",
                paint.good("ok"),
                format::count(*records, "record")
            )
        }
    }
}
