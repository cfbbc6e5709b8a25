//! Options that many commands share.
//!
//! An option with an environment variable `TENURE_NAME` is also a key `name` of the settings file; nothing else is needed
//! for that (see [`crate::config`]).

use tenure::store::SharedStore;
use tenure::{Cluster, ClusterName};

use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{runtime, talk};

/// Which cluster, and where it is kept.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ClusterOptions {
    /// Where the cluster keeps its records
    #[arg(
        long,
        value_name = "URL",
        env = "TENURE_STORE",
        default_value = "sqlite:tenure.db",
        hide_env_values = true
    )]
    pub(crate) store: String,
    /// The cluster's name
    #[arg(
        long,
        value_name = "NAME",
        env = "TENURE_CLUSTER",
        default_value = "default",
        hide_env_values = true
    )]
    pub(crate) cluster: ClusterName,
}

impl ClusterOptions {
    /// Finds the cluster, to steer it: nothing is created.
    pub(crate) async fn find(&self) -> Result<Cluster, Failure> {
        self.find_in(tenure_stores::open_existing(&self.store).await?).await
    }

    /// Finds the cluster, to look at it: nothing is written.
    pub(crate) async fn see(&self) -> Result<Cluster, Failure> {
        self.find_in(tenure_stores::look(&self.store).await?).await
    }

    async fn find_in(&self, store: SharedStore) -> Result<Cluster, Failure> {
        match Cluster::find(SharedStore::clone(&store), &self.cluster).await? {
            Some(cluster) => Ok(cluster),
            None => Err(self.no_cluster(&store).await),
        }
    }

    /// What to say if the store has no such cluster.
    pub(crate) async fn no_cluster(&self, store: &SharedStore) -> Failure {
        let there = store.list("").await.unwrap_or_default();
        let names: Vec<&str> = there.iter().filter_map(|entry| entry.key.strip_suffix("/meta")).collect();
        let hint = match names.len() {
            0 => "it has none; start a member first, with `tenure run`".into(),
            _ => format!("it has {}; name one with --cluster", names.join(", ")),
        };
        let store = tenure_stores::shown(&self.store);
        Failure::new(Exit::Cluster, format!("there is no cluster {} in {store}: {hint}", self.cluster))
    }
}

/// Which cluster to look at, and for whom.
#[derive(Debug, clap::Args)]
pub(super) struct LookOptions {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// What was seen, in either form.
pub(super) trait Printable {
    /// For programs.
    fn json(&self) -> String;
    /// For people.
    fn text(&self, paint: Paint) -> String;
}

impl LookOptions {
    /// Looks, and prints what was seen.
    pub(super) fn show<T: Printable>(
        self,
        look: impl AsyncFnOnce(&mut Cluster) -> Result<T, Failure>,
    ) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let seen = look(&mut self.cluster.see().await?).await?;
            talk::data(&if self.json { seen.json() } else { seen.text(Paint::for_data()) })?;
            Ok(Exit::Done)
        })
    }
}
