//! Waiting until a wish has come true.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::cluster::{Cluster, Survey};

use super::time;
use crate::exit::{Exit, Failure};
use crate::talk;

/// Whether and how long to wait.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Waiting {
    /// Don't wait until it is done
    #[arg(long)]
    no_wait: bool,
    /// How long to wait
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time::any)]
    timeout: Duration,
}

/// Looks until `done` says so, or the time is over.
pub(crate) async fn wait(
    waiting: &Waiting,
    cluster: &mut Cluster,
    mut done: impl FnMut(&Survey) -> bool,
) -> Result<Exit, Failure> {
    if waiting.no_wait {
        return Ok(Exit::Done);
    }
    let looking = async {
        let mut survey = cluster.look().await?.survey;
        // Ends when it is done, or with the time that is left.
        while !done(&survey) {
            survey = cluster.look_again().await?.survey;
        }
        Ok(Exit::Done)
    };
    match Clock::boot().timeout(waiting.timeout, looking).await {
        Ok(ended) => ended,
        Err(_) => {
            let limit = humantime::format_duration(waiting.timeout);
            talk::say(&format!("not done within {limit}; it goes on, `tenure watch` shows how"));
            Ok(Exit::Unfinished)
        }
    }
}
