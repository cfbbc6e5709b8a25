//! Which journals a command is about, and where they are kept.

use std::sync::Arc;

use tenure::ShardId;
use tenure::journal::{Journal, JournalError, JournalName, Place};

use crate::exit::{Exit, Failure};
use crate::format;

/// How many places are asked for at once.
const AT_ONCE: usize = 1_000;

/// Where journals are kept.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct JournalOptions {
    /// Where journals are kept: sqlite:FILE, file:FOLDER, postgres://…, s3://…, gs://… or az://…
    #[arg(long, value_name = "URL", env = "TENURE_JOURNAL", hide_env_values = true)]
    journal: String,
}

/// Which of the journals there.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Chosen {
    /// Only journals of this name
    #[arg(value_name = "NAME")]
    name: Option<JournalName>,
    /// Only that of this shard
    #[arg(long, value_name = "N")]
    shard: Option<u32>,
}

impl JournalOptions {
    /// Opens what is there: nothing is created.
    pub(super) async fn open(&self) -> Result<Arc<dyn Journal>, Failure> {
        Ok(tenure_stores::open_existing_journal(&self.journal).await?)
    }

    /// The address, without its secrets.
    pub(super) fn shown(&self) -> String {
        tenure_stores::shown(&self.journal).into_owned()
    }
}

impl Chosen {
    /// All places that are meant, in order; a failure if there are none.
    pub(super) async fn places(
        &self,
        journal: &dyn Journal,
        options: &JournalOptions,
    ) -> Result<Vec<Place>, Failure> {
        let mut all: Vec<Place> = Vec::new();
        loop {
            let more = journal.places(all.last(), AT_ONCE).await.map_err(failure)?;
            let is_last = more.len() < AT_ONCE;
            all.extend(more);
            if is_last {
                break;
            }
        }
        let meant: Vec<Place> = all.iter().filter(|place| self.means(place)).cloned().collect();
        if meant.is_empty() { Err(self.nothing(&all, options)) } else { Ok(meant) }
    }

    fn means(&self, place: &Place) -> bool {
        self.name.as_ref().is_none_or(|name| *name == place.journal)
            && self.shard.is_none_or(|shard| ShardId(shard) == place.shard)
    }

    fn nothing(&self, there: &[Place], options: &JournalOptions) -> Failure {
        let mut names: Vec<&str> = there.iter().map(|place| place.journal.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let address = options.shown();
        let message = match names.len() {
            0 => format!(
                "{address} has no journals; look at the address, or let a shard's work open one first"
            ),
            _ => {
                let count = format::count(there.len(), "journal");
                format!("{address} has no such journal; it has {count}, named {}", names.join(", "))
            }
        };
        Failure::new(Exit::Cluster, message)
    }
}

/// A journal said no.
pub(super) fn failure(error: JournalError) -> Failure {
    tenure::Error::from(error).into()
}
