//! What can be said to `tenure run`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValue;
use tenure::{MemberId, OnStuck, Placement, Settings};

use super::environment::Pass;
use super::restart::Restart;
use super::{preflight, session};
use crate::command::ClusterOptions;
use crate::command::access::{Access, address};
use crate::command::time;
use crate::exit::{Exit, Failure};
use crate::runtime;
use crate::supervisor::Isolate;

/// Run a command once for every shard that this member owns
///
/// Joins the cluster, and for each shard that it comes to own runs COMMAND with TENURE_CLUSTER, TENURE_SHARD,
/// TENURE_SHARDS, TENURE_EPOCH, TENURE_MEMBER, TENURE_DRAIN_SECONDS and, with --listen, TENURE_STATUS_URL in its environment, and without what opens the store (--pass-env). A shard that moves gets SIGTERM, and SIGKILL after the
/// drain time; a member that loses its lease kills all it runs before anybody else can own a shard. SIGTERM or
/// SIGINT leaves the cluster: shards are handed on first; a second one hurries.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure run --shards 16 -- ./worker
  tenure run --member ada --weight 2 --zone eu-1 --listen :9090 -- python3 worker.py --verbose
  tenure run --store etcd://10.0.0.1:2379/orders --ttl 15s --history ada.jsonl -- ./worker")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) cluster: ClusterOptions,
    /// How many shards the cluster has; the same for all members, for ever
    #[arg(long, value_name = "COUNT", env = "TENURE_SHARDS", default_value_t = 16, hide_env_values = true)]
    pub(super) shards: u32,
    /// The member's name; only one process at a time can hold it [default: the host's name and random letters]
    #[arg(long, value_name = "NAME", env = "TENURE_MEMBER", hide_env_values = true)]
    pub(super) member: Option<MemberId>,
    /// This member's share of the shards, relative to the others
    #[arg(long, value_name = "NUMBER", env = "TENURE_WEIGHT", default_value_t = 1, hide_env_values = true)]
    weight: u32,
    /// The failure domain that this member runs in
    #[arg(long, value_name = "NAME", env = "TENURE_ZONE", hide_env_values = true)]
    zone: Option<String>,
    /// Where others reach what this member runs, such as 10.1.2.3:8080: told to whoever asks for the owner of a key
    #[arg(long, value_name = "TEXT", env = "TENURE_ADDRESS", hide_env_values = true)]
    address: Option<String>,
    /// Who should own what, if this member founds the cluster
    #[arg(long, env = "TENURE_PLACEMENT", default_value = "rendezvous", hide_env_values = true)]
    placement: PlacementName,
    /// How long a lease lasts: a member that is silent for so long loses its shards
    #[arg(
        long,
        value_name = "TIME",
        env = "TENURE_TTL",
        default_value = "10s",
        value_parser = time::ttl,
        hide_env_values = true
    )]
    pub(super) ttl: Duration,
    /// How long a command may take to end after SIGTERM
    #[arg(
        long,
        value_name = "TIME",
        env = "TENURE_DRAIN",
        default_value = "30s",
        value_parser = time::drain,
        hide_env_values = true
    )]
    pub(super) drain: Duration,
    /// Whether a command that ended is run again, with growing pauses if it failed
    #[arg(long, env = "TENURE_RESTART", default_value = "always", hide_env_values = true)]
    pub(super) restart: Restart,
    /// Write a line of JSON when a shard's command begins and when it has ended, for `tenure audit`
    #[arg(long, value_name = "FILE", env = "TENURE_HISTORY", hide_env_values = true)]
    pub(super) history: Option<PathBuf>,
    /// Serve health, metrics and status there, such as `:9090`; on loopback unless an address is said
    #[arg(
        long,
        value_name = "ADDR",
        env = "TENURE_LISTEN",
        value_parser = address,
        hide_env_values = true
    )]
    pub(super) listen: Option<SocketAddr>,
    /// Serve health and metrics alone there, to everybody who can connect: for Prometheus and probes
    #[arg(
        long,
        value_name = "ADDR",
        env = "TENURE_METRICS_LISTEN",
        value_parser = address,
        hide_env_values = true
    )]
    pub(super) metrics_listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(super) access: Access,
    /// A variable that the command gets although tenure itself may read secrets from it, such as TENURE_STORE or `AWS_*`; may be
    /// said several times
    #[arg(long, value_name = "NAME", env = "TENURE_PASS_ENV", value_delimiter = ',', hide_env_values = true)]
    pub(super) pass_env: Vec<Pass>,
    /// Whether commands get a PID namespace of their own, in which nothing that they started outlives this member
    #[arg(long, env = "TENURE_ISOLATE", default_value = "auto", hide_env_values = true)]
    pub(super) isolate: Isolate,
    /// Leave output as it is, instead of beginning each line with its shard
    #[arg(long)]
    pub(super) raw: bool,
    /// What to run, with its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub(super) command: Vec<OsString>,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        preflight::find_program(&self.command[0])?;
        runtime::block_on(session::run(self))
    }

    pub(super) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.cluster = self.cluster.cluster.to_string();
        settings.shards = self.shards;
        settings.member_id = self.member.as_ref().map(ToString::to_string);
        settings.weight = self.weight;
        settings.zone = self.zone.clone();
        settings.address = self.address.clone();
        settings.placement = self.placement.0;
        settings.version = env!("CARGO_PKG_VERSION").into();
        settings.lease_ttl = self.ttl;
        settings.drain_limit = self.drain;
        // A child that dies slowly costs its own shard alone. Before the lease ends others end it than this process.
        settings.on_stuck = OnStuck::Wait;
        // A member that leaves drains everything first.
        settings.leave_limit = settings.leave_limit.max(self.drain * 2);
        settings
    }
}

/// A placement by its name. `external` is left out: a command has no way to say what it wants.
#[derive(Clone, Copy, Debug)]
struct PlacementName(Placement);

impl clap::ValueEnum for PlacementName {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Placement::Rendezvous), Self(Placement::Ring), Self(Placement::Ranges)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Placement::Rendezvous => PossibleValue::new("rendezvous").help("few moves, any weights"),
            Placement::Ring => PossibleValue::new("ring").help("consistent hashing"),
            Placement::Ranges => PossibleValue::new("ranges").help("neighbouring shards together"),
            Placement::External => return None,
        })
    }
}
