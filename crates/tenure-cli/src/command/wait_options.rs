//! Waiting until what a command asked for is done: whether and how long, and how that ended.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::cluster::{Cluster, Survey};

use super::time;
use crate::exit::Failure;
use crate::talk;

/// Whether and how long to wait.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WaitOptions {
    /// Don't wait until it is done
    #[arg(long)]
    no_wait: bool,
    /// How long to wait
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time::any)]
    timeout: Duration,
}

/// How waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitOutcome {
    /// It is done.
    Finished,
    /// It was not in time.
    Unfinished,
    /// The user did not want to wait.
    NotAwaited,
}

/// Looks until `done` says so, or the time is over.
pub(crate) async fn wait(
    waiting: &WaitOptions,
    cluster: &mut Cluster,
    done: impl FnMut(&Survey) -> bool,
) -> Result<WaitOutcome, Failure> {
    if waiting.no_wait {
        return Ok(WaitOutcome::NotAwaited);
    }
    let ended = look_until(waiting.timeout, cluster, done).await?;
    if ended == WaitOutcome::Unfinished {
        let limit = humantime::format_duration(waiting.timeout);
        talk::say(&format!("not done within {limit}; it goes on, `tenure watch` shows how"));
    }
    Ok(ended)
}

/// Looks until `done` says so, for at most `limit`.
pub(crate) async fn look_until(
    limit: Duration,
    cluster: &mut Cluster,
    mut done: impl FnMut(&Survey) -> bool,
) -> Result<WaitOutcome, Failure> {
    let looking = async {
        let mut survey = cluster.look().await?.survey;
        // Ends when it is done, or with the time that is left.
        while !done(&survey) {
            survey = cluster.look_again().await?.survey;
        }
        Ok(WaitOutcome::Finished)
    };
    Clock::boot().timeout(limit, looking).await.unwrap_or(Ok(WaitOutcome::Unfinished))
}
