//! `tenure store check`: may this store be used?
//!
//! Everything rests on a store that refuses a write whose precondition does not hold, also under a race. This command asks
//! for each such promise by name, and says plainly what it found.

use tenure::cluster::Inspector;
use tenure::store::{SharedStore, StoreError, StoreErrorKind};

use super::found::Found;
use super::trial::{Finding, Trial};
use crate::command::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{runtime, talk};

/// Check that a store keeps the promises that the protocol needs, and that a cluster's records can be used
///
/// Writes a few small records under the cluster's `probe/` and removes them again, where the store can. Then reads every record
/// of the cluster, if it is there. Members may run meanwhile. Whoever may only read a SQLite file has its records read, and
/// nothing else. Ends with 1 if the store may not be used, or a record can't.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure store check
  tenure store check --create --store sqlite:new.db
  tenure store check --json --store etcd://10.0.0.1:2379,10.0.0.2:2379/orders")]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Try a store that nobody uses yet: what is not there is created
    #[arg(long)]
    create: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let found = self.look().await?;
            talk::data(&if self.json { found.json() } else { found.text(Paint::for_data()) })?;
            Ok(if found.is_sound() { Exit::Done } else { Exit::No })
        })
    }

    async fn look(&self) -> Result<Found, Failure> {
        let address = &self.cluster.store;
        let (store, promises) = match self.open().await {
            Ok(store) => {
                // Hints tell of others' writes: a handle of its own listens for them.
                let other = self.open().await.map_err(Failure::from)?;
                let promises = findings(&store, other, &self.cluster).await?;
                (store, Some(promises))
            }
            // The right to look is enough to read the records.
            Err(error) if error.kind == StoreErrorKind::Denied => (tenure_stores::look(address).await?, None),
            Err(error) => return Err(self.absent(error)),
        };
        let records = Inspector::new(store, &self.cluster.cluster).inspect().await?;
        let (store, cluster) = (tenure_stores::shown(address).into_owned(), self.cluster.cluster.to_string());
        Ok(Found { store, cluster, promises, records })
    }

    async fn open(&self) -> Result<SharedStore, StoreError> {
        let address = &self.cluster.store;
        if self.create {
            tenure_stores::open(address).await
        } else {
            tenure_stores::open_existing(address).await
        }
    }

    /// A place where nothing is may be mistyped, or new.
    fn absent(&self, error: StoreError) -> Failure {
        let is_new = error.kind == StoreErrorKind::Invalid && !self.create;
        let failure = Failure::from(error);
        if is_new {
            failure.with_advice("to try a store that nobody uses yet, say --create")
        } else {
            failure
        }
    }
}

async fn findings(
    store: &SharedStore,
    other: SharedStore,
    options: &ClusterOptions,
) -> Result<Vec<(&'static str, Finding)>, Failure> {
    let trial = Trial::new(store.clone(), other, options.cluster.as_str())?;
    let findings = trial.all().await;
    trial.tidy_up().await;
    findings
}
