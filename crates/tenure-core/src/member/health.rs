//! When a member without a lease joins: at once the first time, after a healthy while once it has lapsed (L4).

use std::time::Duration;

use crate::config::Config;
use crate::moment::Moment;

/// How the store has been of late, and whether this member has lapsed.
#[derive(Debug, Default)]
pub(super) struct Health {
    healthy_since: Option<Moment>,
    lapsed: bool,
}

impl Health {
    /// The store answered, or failed.
    pub(super) fn answered(&mut self, now: Moment, well: bool) {
        self.healthy_since = well.then(|| self.healthy_since.unwrap_or(now));
    }

    pub(super) fn joined(&mut self) {
        self.lapsed = false;
    }

    pub(super) fn lapsed(&mut self, config: &Config) {
        self.lapsed = true;
        self.healthy_since = config.rules.well_since_lapse(self.healthy_since);
    }

    pub(super) fn has_lapsed(&self) -> bool {
        self.lapsed
    }

    /// From when on a member that is free to join may do so.
    pub(super) fn join_at(&self, config: &Config) -> Option<Moment> {
        let window = if self.lapsed { config.timing.recover_window } else { Duration::ZERO };
        Some(self.healthy_since? + window)
    }
}
