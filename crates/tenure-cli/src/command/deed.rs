//! Deeds from the command line: kept with the cluster, so that whoever looks after it later sees who did what and why.
//!
//! A deed is written down before it is done, and again when it is over. What can't be written down is not done.

use std::fmt::Display;

use tenure::cluster::{Act, Cluster};

use crate::exit::Failure;
use crate::talk;

/// Why something is done.
#[derive(Debug, clap::Args)]
pub(crate) struct Reason {
    /// Why, for those who ask `tenure acts` later
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    why: String,
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
}

/// Who types, as far as this machine knows: it tells colleagues, and proves nothing.
fn who() -> String {
    let named = ["SUDO_USER", "LOGNAME", "USER"].into_iter().find_map(|name| std::env::var(name).ok());
    let named = named.filter(|name| !name.is_empty());
    let name = named.unwrap_or_else(|| format!("user {}", rustix::process::getuid().as_raw()));
    format!("{name}@{}", rustix::system::uname().nodename().to_string_lossy())
}
