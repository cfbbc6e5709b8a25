//! Deeds from the command line: kept with the cluster, so that operators see later who did what and why.
//!
//! A deed is written down before it is done, and again when it is over. What can't be written down is not done.

use std::fmt::Display;

use serde::Serialize;
use tenure::cluster::{Act, Cluster};

use super::ClusterOptions;
use super::wait_options::{WaitOptions, WaitOutcome};
use crate::exit::{Exit, Failure};
use crate::{format, talk};

/// What every command takes that changes a cluster.
#[derive(Debug, clap::Args)]
pub(crate) struct DeedOptions {
    #[command(flatten)]
    pub(crate) reason: Reason,
    #[command(flatten)]
    pub(crate) waiting: WaitOptions,
    #[command(flatten)]
    pub(crate) cluster: ClusterOptions,
}

/// Why something is done.
#[derive(Debug, clap::Args)]
pub(crate) struct Reason {
    /// Why, for those who ask `tenure acts` later
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    why: String,
    /// Print JSON when it is over
    #[arg(long)]
    json: bool,
}

/// What came of a deed, for programs. Names stay, new ones may be added.
#[derive(Serialize)]
struct Document<'a> {
    /// What was asked for, as one would type it.
    what: &'a str,
    /// Whether anything had to be written for it.
    changed: bool,
    /// Whether it came to its end; null if nobody waited.
    finished: Option<bool>,
}

impl Reason {
    /// Does `deed`, which is `what` as one would type it.
    pub(crate) async fn of<T, E: Display + Into<Failure>>(
        &self,
        what: &str,
        cluster: &mut Cluster,
        deed: impl AsyncFnOnce(&mut Cluster) -> Result<T, E>,
    ) -> Result<T, Failure> {
        let mut act = Act::new(&who(), "command line", what, &self.why, cluster.wall_ms())?;
        cluster.write_down(&act).await?;
        let came = deed(cluster).await;
        act.came = Some(came.as_ref().map(|_| ()).map_err(ToString::to_string).into());
        if let Err(error) = cluster.write_down(&act).await {
            talk::say(&format!("what came of it could not be written down: {error}"));
        }
        came.map_err(Into::into)
    }

    /// Whether a program asks.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Tells programs what came of it, if they asked.
    pub(crate) fn tell(&self, what: &str, changed: bool, ended: WaitOutcome) -> Result<Exit, Failure> {
        let (exit, finished) = match ended {
            WaitOutcome::Finished => (Exit::Done, Some(true)),
            WaitOutcome::Unfinished => (Exit::Unfinished, Some(false)),
            WaitOutcome::NotAwaited => (Exit::Done, None),
        };
        if self.json {
            talk::data(&format::json(&Document { what, changed, finished }))?;
        }
        Ok(exit)
    }
}

/// Who types, as far as this machine knows: it tells colleagues, and proves nothing.
fn who() -> String {
    let named = ["SUDO_USER", "LOGNAME", "USER"].into_iter().find_map(|name| std::env::var(name).ok());
    let named = named.filter(|name| !name.is_empty());
    let name = named.unwrap_or_else(|| format!("user {}", rustix::process::getuid().as_raw()));
    format!("{name}@{}", rustix::system::uname().nodename().to_string_lossy())
}
