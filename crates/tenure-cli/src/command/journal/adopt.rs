//! `tenure journal adopt`: journals of another founding go on under this one.

use serde::Serialize;
use tenure::Lineage;
use tenure::journal::Place;

use super::options::{Chosen, JournalOptions, failure};
use crate::command::ClusterOptions;
use crate::command::confirm::confirm;
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Let journals of another founding of the cluster go on under the present one
///
/// A cluster that was recovered or founded anew leaves the journals of before alone. This is your word that they are its own. It ends
/// all owners of the other founding, so say it only when none of them may write any more.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure journal adopt --dry-run --journal sqlite:journal.db
  tenure journal adopt carts --yes --journal s3://bucket/journals --store etcd://10.0.0.1:2379/orders")]
pub(crate) struct Args {
    #[command(flatten)]
    options: JournalOptions,
    #[command(flatten)]
    cluster: ClusterOptions,
    #[command(flatten)]
    chosen: Chosen,
    /// Don't ask
    #[arg(long)]
    yes: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON, a line for each journal
    #[arg(long)]
    json: bool,
}

/// One journal that is adopted.
#[derive(Debug, Serialize)]
struct Adopted {
    journal: String,
    shard: u32,
    from: Lineage,
    to: Lineage,
    done: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let lineage = self.cluster.see().await?.meta().lineage;
            let journal = self.options.open().await?;
            let mut strange: Vec<(Place, Lineage)> = Vec::new();
            for place in self.chosen.places(&*journal, &self.options).await? {
                let look = journal.look(&place).await.map_err(failure)?;
                strange.extend(look.filter(|look| look.lineage != lineage).map(|look| (place, look.lineage)));
            }
            if strange.is_empty() {
                talk::say(&format!("all of them belong to the cluster of lineage {lineage} already"));
                return Ok(Exit::Done);
            }
            if !self.dry_run {
                let count = format::count(strange.len(), "journal");
                confirm(&format!("Let {count} go on under lineage {lineage}?"), self.yes)?;
            }
            for (place, from) in &strange {
                if !self.dry_run {
                    journal.adopt(place, lineage).await.map_err(failure)?;
                }
                self.tell(place, *from, lineage)?;
            }
            Ok(Exit::Done)
        })
    }

    fn tell(&self, place: &Place, from: Lineage, to: Lineage) -> Result<(), Failure> {
        let (journal, shard, done) = (place.journal.to_string(), place.shard.0, !self.dry_run);
        if self.json {
            return talk::data(&format::json(&Adopted { journal, shard, from, to, done }));
        }
        let verb = if done { "goes on" } else { "would go on" };
        talk::data(&format!("{place} {verb} under {to}; it was of {from}\n"))
    }
}
