//! From what was typed to what it means: every mistake is found here, before anything is started.

use std::time::Duration;

use tenure_core::config::{Config, Restart};
use tenure_core::ids::{ClusterName, MemberId, Process};
use tenure_core::moment::{Timing, TimingError};
use tenure_core::record::{ADDRESS_MAX, PAGE_SIZE_MAX, PAGES_MAX, SHARDS_MAX, TTL_MAX_MS, address_problem};

use super::Settings;

const WEIGHT_MAX: u32 = 1_000_000;
const TTL_MAX: Duration = Duration::from_millis(TTL_MAX_MS);

/// A setting that is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("setting {setting} {problem}; {fix}")]
#[non_exhaustive]
pub struct SettingsError {
    /// The setting, by its name.
    pub setting: &'static str,
    /// What is wrong with it.
    pub problem: String,
    /// What to change.
    pub fix: String,
}

impl From<TimingError> for SettingsError {
    fn from(error: TimingError) -> Self {
        Self { setting: error.setting, problem: error.problem, fix: error.fix }
    }
}

fn wrong(setting: &'static str, problem: impl Into<String>, fix: impl Into<String>) -> SettingsError {
    SettingsError { setting, problem: problem.into(), fix: fix.into() }
}

/// Settings that make sense, in the core's own words.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) cluster: ClusterName,
    pub(crate) config: Config,
    pub(crate) retry_window: Duration,
}

impl Settings {
    /// Checks every setting, and every inequality between them.
    ///
    /// # Errors
    /// Names the first setting that is wrong, and what to do about it.
    pub fn validate(&self) -> Result<(), SettingsError> {
        // Neither name matters to the check.
        let anybody = "anybody".parse().expect("a plain name");
        self.checked(Process(0), || anybody).map(drop)
    }

    /// The meaning of the settings for a member of `process`, which is called `nameless()` unless it has a name.
    pub(crate) fn checked(
        &self,
        process: Process,
        nameless: impl FnOnce() -> MemberId,
    ) -> Result<Checked, SettingsError> {
        let cluster = self.cluster_name()?;
        let id = self.id()?.unwrap_or_else(nameless);
        self.check_shape()?;
        self.check_address()?;
        let timing = self.timing();
        timing.validate()?;
        self.check_limits(&timing)?;
        Ok(Checked {
            cluster,
            config: self.config(id, process, timing),
            retry_window: self.acquire_retry_window,
        })
    }

    fn cluster_name(&self) -> Result<ClusterName, SettingsError> {
        let fix = "name the cluster with 1 to 63 of the characters a-z A-Z 0-9 . _ -";
        if self.cluster.is_empty() {
            return Err(wrong("cluster", "is not set", fix));
        }
        self.cluster.parse().map_err(|_| wrong("cluster", format!("is {:?}", self.cluster), fix))
    }

    fn id(&self) -> Result<Option<MemberId>, SettingsError> {
        let fix = "use 1 to 63 of the characters a-z A-Z 0-9 . _ - and begin with a letter or digit";
        let Some(name) = &self.member_id else { return Ok(None) };
        name.parse().map(Some).map_err(|_| wrong("member_id", format!("is {name:?}"), fix))
    }

    fn check_shape(&self) -> Result<(), SettingsError> {
        let between = |setting, value: u32, most: u32| {
            let fix = format!("use 1 to {most}");
            if (1..=most).contains(&value) { Ok(()) } else { Err(wrong(setting, format!("is {value}"), fix)) }
        };
        between("shards", self.shards, SHARDS_MAX)?;
        between("weight", self.weight, WEIGHT_MAX)?;
        between("ledger_page_size", self.ledger_page_size, PAGE_SIZE_MAX)?;
        let pages = self.shards.div_ceil(self.ledger_page_size);
        if pages > PAGES_MAX {
            let fix = format!("use at least {}", self.shards.div_ceil(PAGES_MAX));
            let problem = format!("is {}, which makes {pages} pages", self.ledger_page_size);
            return Err(wrong("ledger_page_size", problem, fix));
        }
        between("shard_move_budget", self.shard_move_budget.unwrap_or(1), u32::MAX)
    }

    fn check_address(&self) -> Result<(), SettingsError> {
        let Some(address) = &self.address else { return Ok(()) };
        let fix = format!(
            "use 1 to {ADDRESS_MAX} bytes that can be seen, such as 10.1.2.3:8080 or https://a.example/, or leave it out"
        );
        match address_problem(address) {
            Some(problem) => Err(wrong("address", problem, fix)),
            None => Ok(()),
        }
    }

    fn check_limits(&self, timing: &Timing) -> Result<(), SettingsError> {
        let ttl_max = self.ttl_max();
        if ttl_max < self.lease_ttl || ttl_max > TTL_MAX {
            let fix = format!("use at least lease_ttl, {:?}, and at most {TTL_MAX:?}", self.lease_ttl);
            return Err(wrong("lease_ttl_max", format!("is {ttl_max:?}"), fix));
        }
        if timing.acquire_retry_interval.is_zero() {
            return Err(wrong("acquire_retry_interval", "is zero", "use about 200ms"));
        }
        if timing.abort_limit.is_zero() {
            return Err(wrong("abort_limit", "is zero", "give work time to end, or set on_stuck = \"wait\""));
        }
        if self.restart_backoff.is_zero() || self.restart_backoff > self.restart_backoff_max {
            let fix =
                format!("use more than zero and at most restart_backoff_max, {:?}", self.restart_backoff_max);
            return Err(wrong("restart_backoff", format!("is {:?}", self.restart_backoff), fix));
        }
        Ok(())
    }

    fn ttl_max(&self) -> Duration {
        self.lease_ttl_max.unwrap_or_else(|| self.lease_ttl.saturating_mul(4))
    }

    fn timing(&self) -> Timing {
        let usual = Timing::for_ttl(self.lease_ttl);
        let margin = self.lease_detach_margin.unwrap_or(usual.margin);
        Timing {
            ttl: self.lease_ttl,
            margin,
            slack: self.lease_slack.unwrap_or(usual.slack),
            drift: self.clock_drift,
            renew_every: self.lease_renew_interval.unwrap_or(usual.renew_every),
            poll: self.poll_interval.unwrap_or(usual.poll),
            call_timeout: self.store_timeout.unwrap_or(usual.call_timeout),
            debounce: self.shard_rebalance_debounce.unwrap_or(usual.debounce),
            recover_window: self.detachment_recover_window.unwrap_or(usual.recover_window),
            acquire_retry_interval: self.acquire_retry_interval.unwrap_or(usual.acquire_retry_interval),
            drain_limit: self.drain_limit,
            abort_limit: self.abort_limit.unwrap_or(margin * 3 / 4),
            leave_limit: self.leave_limit,
            stagger: self.plan_stagger.unwrap_or(usual.stagger),
        }
    }

    fn config(&self, id: MemberId, process: Process, timing: Timing) -> Config {
        Config {
            page_size: self.ledger_page_size,
            ttl_max: self.ttl_max(),
            placement: self.placement,
            spread_zones: self.spread_zones,
            weight: self.weight,
            zone: self.zone.clone(),
            address: self.address.clone(),
            version: self.version.clone(),
            move_budget: self.shard_move_budget,
            on_stuck: self.on_stuck,
            restart: self.restart(),
            ..Config::new(id, process, self.shards, timing)
        }
    }

    fn restart(&self) -> Restart {
        Restart {
            first: self.restart_backoff,
            longest: self.restart_backoff_max,
            hand_on_after: self.restart_hand_on_after,
            forgiven_after: self.restart_forgiven_after,
        }
    }
}
