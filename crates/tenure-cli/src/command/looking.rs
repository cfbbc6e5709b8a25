//! What commands that look at a cluster once have in common: which cluster, and for whom it is printed.

use tenure::Cluster;

use super::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{runtime, talk};

/// Which cluster to look at, and for whom.
#[derive(Debug, clap::Args)]
pub(super) struct Looking {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// What was seen, in either form.
pub(super) trait Seen {
    /// For programs.
    fn json(&self) -> String;
    /// For people.
    fn text(&self, paint: Paint) -> String;
}

impl Looking {
    /// Looks, and prints what was seen.
    pub(super) fn show<T: Seen>(
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
