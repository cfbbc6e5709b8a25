//! What a machine is told once, at its beginning.

use std::time::Duration;

use crate::Rules;
use crate::ids::{MemberId, Process};
use crate::moment::Timing;
use crate::plan::Placement;

/// What to do with interrupted work that does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnStuck {
    /// Abort the process, before anybody else can own the shard.
    #[default]
    Abort,
    /// Wait for it, for ever if need be; the shard has no owner meanwhile.
    Wait,
}

/// At 35 bytes each at most, so many runs leave room in the quarter of a megabyte that the narrowest store takes.
const RELEASE_RUNS: usize = 4096;

/// How often, and with which pauses, failed work is started again.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// The pause after the first failure; it doubles with each further one.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// After so many failures in a row the shard is offered to other members; zero: never.
    pub hand_on_after: u32,
    /// Work that ran this long has recovered: its failures are forgotten.
    pub forgiven_after: Duration,
}

impl Default for Restart {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(200),
            longest: Duration::from_secs(30),
            hand_on_after: 5,
            forgiven_after: Duration::from_secs(60),
        }
    }
}

/// What a machine is told once, at its beginning.
#[derive(Clone, Debug)]
pub struct Config {
    /// The member's name.
    pub id: MemberId,
    /// This very process.
    pub process: Process,
    /// Every duration of the protocol.
    pub timing: Timing,
    /// How many shards the cluster has, or will have if this member founds it.
    pub shards: u32,
    /// How many shards a page of the ledger holds, if this member founds the cluster.
    pub page_size: u32,
    /// The longest lease that members may have, if this member founds the cluster.
    pub ttl_max: Duration,
    /// Who should own what.
    pub placement: Placement,
    /// Whether shares are spread over zones first.
    pub spread_zones: bool,
    /// This member's share, relative to the others.
    pub weight: u32,
    /// The failure domain that this member runs in.
    pub zone: Option<String>,
    /// Where peers reach this member.
    pub address: Option<String>,
    /// The version of the software, for people.
    pub version: String,
    /// The most shards that may be on the move at once; `None`: 16, or a quarter of the shards if that is more.
    pub move_budget: Option<u32>,
    /// How many runs of released shards a record holds at most; others wait until the ledger has moved on from these.
    pub release_runs: usize,
    /// What to do with interrupted work that does not end.
    pub on_stuck: OnStuck,
    /// How failed work is started again.
    pub restart: Restart,
    /// The rules to go by.
    pub rules: Rules,
}

impl Config {
    /// The configuration of `id` in `process` when nothing else is said.
    pub fn new(id: MemberId, process: Process, shards: u32, timing: Timing) -> Self {
        Self {
            id,
            process,
            shards,
            page_size: 4096,
            ttl_max: timing.ttl * 4,
            timing,
            placement: Placement::default(),
            spread_zones: false,
            weight: 1,
            zone: None,
            address: None,
            version: String::new(),
            move_budget: None,
            release_runs: RELEASE_RUNS,
            on_stuck: OnStuck::default(),
            restart: Restart::default(),
            rules: Rules::ALL,
        }
    }
}
