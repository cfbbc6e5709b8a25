//! `tenure journal stat`: how long journals are, and who opened them last.

use serde::Serialize;
use tenure::Lineage;
use tenure::clock::Clock;
use tenure::journal::{Author, Look, Place};

use super::options::{Chosen, JournalOptions, failure};
use crate::exit::{Exit, Failure};
use crate::format::{self, Align, Table};
use crate::paint::Paint;
use crate::{runtime, talk};

/// Show how long journals are, how old their snapshots, and who opened them last
///
/// Reads little of each, and writes nothing; owners may work meanwhile.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure journal stat --journal sqlite:journal.db
  tenure journal stat carts --shard 3 --json --journal postgres://db/app")]
pub(crate) struct Args {
    #[command(flatten)]
    options: JournalOptions,
    #[command(flatten)]
    chosen: Chosen,
    /// Print JSON, a line for each journal
    #[arg(long)]
    json: bool,
}

/// One journal, as JSON.
#[derive(Debug, Serialize)]
struct Document {
    journal: String,
    shard: u32,
    lineage: Lineage,
    start: u64,
    last: u64,
    entries: u64,
    opened_by: Author,
    snapshot: Option<SnapshotDocument>,
}

#[derive(Debug, Serialize)]
struct SnapshotDocument {
    upto: u64,
    bytes: u64,
    at_ms: u64,
}

impl Document {
    fn new(place: &Place, look: &Look) -> Self {
        let snapshot = look.snapshot.map(|snapshot| SnapshotDocument {
            upto: snapshot.name.upto.0,
            bytes: snapshot.bytes,
            at_ms: snapshot.at_ms,
        });
        Self {
            journal: place.journal.to_string(),
            shard: place.shard.0,
            lineage: look.lineage,
            start: look.start.0,
            last: look.last.0,
            entries: look.entries(),
            opened_by: look.opened_by,
            snapshot,
        }
    }
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let journal = self.options.open().await?;
            let mut found = Vec::new();
            for place in self.chosen.places(&*journal, &self.options).await? {
                // One that was removed since is left out.
                found.extend(
                    journal.look(&place).await.map_err(failure)?.map(|look| Document::new(&place, &look)),
                );
            }
            talk::data(&if self.json { found.iter().map(format::json).collect() } else { text(&found) })?;
            Ok(Exit::Done)
        })
    }
}

fn text(found: &[Document]) -> String {
    let columns = [
        ("JOURNAL", Align::Left),
        ("SHARD", Align::Right),
        ("ENTRIES", Align::Right),
        ("LAST", Align::Right),
        ("SNAPSHOT", Align::Right),
        ("TAKEN", Align::Right),
        ("EPOCH", Align::Right),
        ("LINEAGE", Align::Left),
    ];
    let mut table = Table::new(&columns);
    let now = Clock::boot().wall_ms();
    for one in found {
        let snapshot = one.snapshot.as_ref();
        table.row([
            one.journal.clone(),
            one.shard.to_string(),
            one.entries.to_string(),
            one.last.to_string(),
            snapshot.map_or_else(|| "none".to_owned(), |snapshot| format!("{} bytes", snapshot.bytes)),
            snapshot.map_or_else(String::new, |snapshot| format::ago(now, snapshot.at_ms)),
            one.opened_by.epoch.to_string(),
            one.lineage.to_string(),
        ]);
    }
    table.draw(Paint::for_data())
}
