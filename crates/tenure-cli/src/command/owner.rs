//! `tenure owner KEY`: who owns a key, at which epoch, where that is reached, and how sure it is.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use tenure::cluster::{MemberView, Standing, Survey, Whereabouts};
use tenure::{MemberId, ShardId};
use tenure_core::plan::shard_of;
use tenure_dashboard::ask::Answer;

use super::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Say who owns a key, or a shard
///
/// Looks once, without joining. It is what the ledger says: good for sending a request the right way, never a permission to act. Ends
/// with 0 if somebody owns it, and with 1 if nobody does or if the owner's lease may be over.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure owner order-17
  tenure owner --shard 3 --json
  tenure owner order-17 --store etcd://127.0.0.1:2379/tenure")]
pub(crate) struct Args {
    /// The key: any bytes
    #[arg(required_unless_present = "shard", conflicts_with = "shard")]
    key: Option<OsString>,
    /// Ask for this shard instead
    #[arg(long, value_name = "SHARD")]
    shard: Option<u32>,
    /// Print JSON, as `GET /v1/owner` answers it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let mut cluster = self.cluster.see().await?;
            let survey = cluster.look().await?.survey;
            let found = self.located(&survey)?;
            let exit = if found.state == Standing::Owned { Exit::Done } else { Exit::No };
            talk::data(&self.text(found, &survey, cluster.wall_ms()))?;
            Ok(exit)
        })
    }

    fn located(&self, survey: &Survey) -> Result<Whereabouts, Failure> {
        let shard = match (&self.key, self.shard) {
            (_, Some(number)) => ShardId(number),
            (key, None) => shard_of(key.as_deref().unwrap_or_default().as_bytes(), survey.shards),
        };
        Whereabouts::of(survey, shard, 0).ok_or_else(|| {
            let last = survey.shards.saturating_sub(1);
            Failure::new(Exit::Usage, format!("there is no shard {shard}; the last is {last}"))
        })
    }

    fn text(&self, found: Whereabouts, survey: &Survey, now_ms: u64) -> String {
        if !self.json {
            return format!("{}\n", format::plain(&told(&found, survey, now_ms)));
        }
        let (cluster, shards) = (self.cluster.cluster.to_string(), survey.shards);
        format::json_lines(&Answer { cluster, shards, whereabouts: found, seen_ago_ms: 0 })
    }
}

/// On one line, for people.
fn told(found: &Whereabouts, survey: &Survey, now_ms: u64) -> String {
    let shard = found.shard;
    let why = found.why.as_deref().unwrap_or("nobody knows why");
    let owner = reached(found.owner.as_ref(), found.address.as_deref());
    let epoch = found.epoch;
    match found.state {
        Standing::Owned => {
            let since = found.since_ms.map(|since| format!(", since {} ({why})", format::ago(now_ms, since)));
            format!("shard {shard}: {owner}, epoch {epoch}{}", since.unwrap_or_default())
        }
        Standing::Doubt => {
            format!("shard {shard}: {owner}, epoch {epoch}; in doubt: {}", doubt(found, survey))
        }
        Standing::Between => {
            let heir = reached(found.heir.as_ref(), found.heir_address.as_deref());
            format!("shard {shard}: between two owners; {heir} takes over ({why})")
        }
        Standing::Unowned => format!("shard {shard}: nobody ({why})"),
        Standing::Unreadable => {
            format!("shard {shard}: its page of the ledger can't be read; see `tenure status`")
        }
    }
}

/// Who, and where that is, if it is known.
fn reached(id: Option<&MemberId>, address: Option<&str>) -> String {
    let id = id.map_or("nobody", MemberId::as_str);
    match address {
        Some(address) => format!("{id} at {address}"),
        None => id.to_owned(),
    }
}

/// Why it is not sure that the owner may still act.
fn doubt(found: &Whereabouts, survey: &Survey) -> String {
    let owner = survey.members.iter().find(|view| Some(&view.id) == found.owner.as_ref());
    let span = |ms| format::span(Duration::from_millis(ms));
    let late = |view: &MemberView| {
        format!("its lease of {} was renewed {} ago", span(view.ttl_ms), span(view.renewed_ago_ms))
    };
    owner.map_or_else(|| "it has no record".into(), late)
}
