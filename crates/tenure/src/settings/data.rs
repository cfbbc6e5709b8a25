//! The settings themselves.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tenure_core::config::{OnStuck, Restart};
use tenure_core::plan::Placement;

/// Everything that can be set about a member. Durations are written for people: `"15s"`, `"1m 30s"`, `"250ms"`.
///
/// A duration that is `None` follows from `lease_ttl`; the rule is said at each. Unknown names are refused, so that a
/// misspelt setting is an error instead of a surprise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Settings {
    /// The cluster: the members that divide one set of shards. Must be set.
    pub cluster: String,
    /// How many shards the cluster has. Fixed for its life; all members say the same. Must be set.
    pub shards: u32,
    /// The member's name; only one process at a time can hold it. Default: the host's name and random letters. Give a
    /// stable name to get the same shards back after a restart.
    pub member_id: Option<String>,
    /// This member's share of the shards, relative to the others. Default 1.
    pub weight: u32,
    /// The failure domain that this member runs in.
    pub zone: Option<String>,
    /// Where others reach this member, for those who route to it: any text without spaces, such as `10.1.2.3:8080`. Whoever asks
    /// for the owner of a key is told; nobody here calls it.
    pub address: Option<String>,
    /// The version of the software that this member runs, for people.
    pub version: String,

    /// How long a lease lasts. A member that is silent for this long loses its shards. Default 10 s.
    #[serde(with = "humantime_serde")]
    pub lease_ttl: Duration,
    /// How long before the end of its lease a member stops acting. Default: a quarter of `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub lease_detach_margin: Option<Duration>,
    /// How much longer than a lease others wait before they take over. Default: a twentieth of `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub lease_slack: Option<Duration>,
    /// Time from one renewal to the next. Default: a third of `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub lease_renew_interval: Option<Duration>,
    /// The longest lease that any member of this cluster may have, if this member founds it. Default: four times
    /// `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub lease_ttl_max: Option<Duration>,
    /// The greatest error of clock rates that is tolerated, as a share. Default 0.01.
    pub clock_drift: f64,
    /// How long the store must be healthy before a detached member joins again. Default: a tenth of `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub detachment_recover_window: Option<Duration>,

    /// Pause before a refused or failed step is tried again. Default: a tenth of `lease_ttl`, at most 200 ms.
    #[serde(with = "humantime_serde")]
    pub acquire_retry_interval: Option<Duration>,
    /// Steps that stay refused for this long are reported. Default 2 s.
    #[serde(with = "humantime_serde")]
    pub acquire_retry_window: Duration,
    /// How long the members must have been the same before shards move for balance. Default: a quarter of `lease_ttl`,
    /// at most 1 s.
    #[serde(with = "humantime_serde")]
    pub shard_rebalance_debounce: Option<Duration>,
    /// The most shards on the move at once. Default: 16, or a quarter of the shards if that is more.
    pub shard_move_budget: Option<u32>,
    /// Who should own what; the founder's choice holds for the cluster. Default `rendezvous`.
    #[serde(with = "PlacementName")]
    pub placement: Placement,
    /// Whether shards are spread over zones first; the founder's choice holds for the cluster.
    pub spread_zones: bool,
    /// How many shards a page of the ledger holds, if this member founds the cluster. Default 4096.
    pub ledger_page_size: u32,
    /// Pause per rank between members that would take the same step. Default: a fiftieth of `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub plan_stagger: Option<Duration>,

    /// Time from one look at the store to the next, when no hint comes. Default: an eighth of `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub poll_interval: Option<Duration>,
    /// Every store call is given up after this. Default: an eighth of `lease_ttl`.
    #[serde(with = "humantime_serde")]
    pub store_timeout: Option<Duration>,

    /// How long work may go on after its shard was promised to another member. Default 30 s.
    #[serde(with = "humantime_serde")]
    pub drain_limit: Duration,
    /// How long a leaving member waits for others to take over. Default 60 s.
    #[serde(with = "humantime_serde")]
    pub leave_limit: Duration,
    /// How long interrupted work may take to end. Default: three quarters of
    /// `lease_detach_margin`.
    #[serde(with = "humantime_serde")]
    pub abort_limit: Option<Duration>,
    /// What happens to interrupted work that does not end: `abort` the process, or `wait`. Default `abort`.
    #[serde(with = "OnStuckName")]
    pub on_stuck: OnStuck,

    /// The pause before failed work is started again; it doubles with each further failure. Default 200 ms.
    #[serde(with = "humantime_serde")]
    pub restart_backoff: Duration,
    /// The longest such pause. Default 30 s.
    #[serde(with = "humantime_serde")]
    pub restart_backoff_max: Duration,
    /// After so many failures in a row a shard is offered to other members; 0: never. Default 5.
    pub restart_hand_on_after: u32,
    /// Work that ran this long has recovered: its failures are forgotten. Default 60 s.
    #[serde(with = "humantime_serde")]
    pub restart_forgiven_after: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let restart = Restart::default();
        Self {
            cluster: String::new(),
            shards: 0,
            member_id: None,
            weight: 1,
            zone: None,
            address: None,
            version: String::new(),
            lease_ttl: Duration::from_secs(10),
            lease_detach_margin: None,
            lease_slack: None,
            lease_renew_interval: None,
            lease_ttl_max: None,
            clock_drift: 0.01,
            detachment_recover_window: None,
            acquire_retry_interval: None,
            acquire_retry_window: Duration::from_secs(2),
            shard_rebalance_debounce: None,
            shard_move_budget: None,
            placement: Placement::default(),
            spread_zones: false,
            ledger_page_size: 4096,
            plan_stagger: None,
            poll_interval: None,
            store_timeout: None,
            drain_limit: Duration::from_secs(30),
            leave_limit: Duration::from_secs(60),
            abort_limit: None,
            on_stuck: OnStuck::default(),
            restart_backoff: restart.first,
            restart_backoff_max: restart.longest,
            restart_hand_on_after: restart.hand_on_after,
            restart_forgiven_after: restart.forgiven_after,
        }
    }
}

/// How the choice of the core is spelled in settings.
#[derive(Serialize, Deserialize)]
#[serde(remote = "OnStuck", rename_all = "lowercase")]
enum OnStuckName {
    Abort,
    Wait,
}

/// How the choice of the core is spelled in settings.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Placement", rename_all = "lowercase")]
enum PlacementName {
    Rendezvous,
    Ring,
    Ranges,
    External,
}
