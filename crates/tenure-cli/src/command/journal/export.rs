//! `tenure journal export`: a journal as lines of JSON, for other tools.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::value::RawValue;
use tenure::journal::{Entry, Kept, Kind, Record, Snapshot};

use super::options::{Chosen, JournalOptions, failure};
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Print a journal as lines of JSON: its snapshot, and each record since
///
/// A body that is JSON stands in a line as it is, any other as base64 under `bytes`. Writes nothing; the owner may work meanwhile.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure journal export carts --shard 3 --journal sqlite:journal.db
  tenure journal export carts --shard 3 --journal file:journals | jq 'select(.key == \"cart-9\")'")]
pub(crate) struct Args {
    #[command(flatten)]
    options: JournalOptions,
    #[command(flatten)]
    chosen: Chosen,
    /// Print JSON; this is how it is printed anyway
    #[arg(long)]
    json: bool,
}

/// One line.
#[derive(Debug, Serialize)]
struct Line<'a> {
    seq: u64,
    kind: &'static str,
    epoch: u64,
    at_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl<'a> Line<'a> {
    fn opening(entry: &Entry, kind: &'static str) -> Self {
        let (seq, epoch, at_ms) = (entry.seq.0, entry.author.epoch.0, entry.at_ms);
        Self { seq, kind, epoch, at_ms, key: None, version: None, body: None, bytes: None }
    }

    fn record(entry: &Entry, record: &'a Record) -> Self {
        let line = Self::opening(entry, "record").holding(&record.body);
        Self { key: record.key.as_deref(), version: Some(record.version), ..line }
    }

    fn snapshot(snapshot: &'a Snapshot) -> Self {
        let (seq, epoch, at_ms) = (snapshot.name.upto.0, snapshot.name.epoch.0, snapshot.at_ms);
        let line =
            Self { seq, kind: "snapshot", epoch, at_ms, key: None, version: None, body: None, bytes: None };
        line.holding(&snapshot.state)
    }

    /// With these bytes, as they are where they are JSON on one line.
    fn holding(self, bytes: &'a [u8]) -> Self {
        let body: Option<&RawValue> = serde_json::from_slice(bytes).ok();
        match body.filter(|body| !body.get().contains('\n')) {
            Some(body) => Self { body: Some(body), ..self },
            None => Self { bytes: Some(STANDARD.encode(bytes)), ..self },
        }
    }
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let journal = self.options.open().await?;
            let places = self.chosen.places(&*journal, &self.options).await?;
            let [place] = &places[..] else {
                let which: Vec<String> = places.iter().take(5).map(ToString::to_string).collect();
                let message =
                    format!("say which of {}: NAME and --shard; some are {}", places.len(), which.join(", "));
                return Err(Failure::new(Exit::Usage, message));
            };
            let ahead = journal.ahead(place).await.map_err(failure)?;
            print(&ahead.kept)?;
            Ok(Exit::Done)
        })
    }
}

fn print(kept: &Kept) -> Result<(), Failure> {
    if let Some(snapshot) = &kept.snapshot {
        talk::data(&format::json(&Line::snapshot(snapshot)))?;
    }
    for entry in &kept.entries {
        match entry.kind {
            Kind::Fence => talk::data(&format::json(&Line::opening(entry, "fence")))?,
            Kind::Adoption { .. } => talk::data(&format::json(&Line::opening(entry, "adoption")))?,
            Kind::Batch => {
                let lines = entry.records.iter().map(|record| format::json(&Line::record(entry, record)));
                talk::data(&lines.collect::<String>())?;
            }
        }
    }
    Ok(())
}
