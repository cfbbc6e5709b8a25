//! Who answers, and whether it is still the server that we knew.
//!
//! A standby that is promoted begins a new timeline at the point to which it had replayed its primary's log. If it was behind,
//! the writes beyond that point are gone although they were acknowledged, and whoever acted on them must not go on. Three
//! questions are asked of every new connection:
//!
//! ```text
//!  timeline 1  ──────────┬───────x──────x      acknowledged, and seen by this handle
//!  timeline 2            └── promoted here: x is lost
//! ```
//! Is it the same cluster (system identifier)? Is its timeline at least the one we knew, or is it a primary of the past?
//! Does its history reach beyond everything that we have seen?

use tokio_postgres::{Client, Row};

use super::error::Trouble;
use super::version::Position;

const QUERY: &str = "SELECT pg_is_in_recovery(), \
    current_setting('transaction_read_only') = 'on', \
    current_setting('server_version_num')::integer, current_setting('server_version'), \
    current_setting('fsync') = 'on', \
    (SELECT system_identifier::text FROM pg_control_system()), \
    pg_postmaster_start_time()::text, \
    CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END, \
    CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn()::text END, \
    pg_last_wal_replay_lsn()::text";

/// The oldest server that has all functions that we call.
const VERSION_MIN: i32 = 130_000;

/// What a primary says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// Drawn when the cluster was made; standbys have that of their primary.
    pub(super) system: String,
    /// Raised by every promotion.
    pub(super) timeline: u32,
    /// When this server was started, as text: only compared.
    pub(super) started: String,
    /// Where its log ends now.
    pub(super) reached: Position,
    /// Where its recovery ended, if it began with one: before a promotion, or after a crash.
    pub(super) recovered: Option<Position>,
}

impl Standing {
    /// Asks a server; a standby, and one that can't be used, is refused.
    pub(super) async fn ask(client: &Client, server: &str, must_sync: bool) -> Result<Self, Problem> {
        let row = client.query_typed_one(QUERY, &[]).await?;
        let version: i32 = row.try_get(2)?;
        let server = || server.to_owned();
        if version < VERSION_MIN {
            return Err(Trouble::TooOld { server: server(), version: row.try_get(3)? }.into());
        }
        if row.try_get(0)? {
            return Err(Trouble::Standby { server: server() }.into());
        }
        if row.try_get(1)? {
            return Err(Trouble::ReadOnly { server: server() }.into());
        }
        let syncs: bool = row.try_get(4)?;
        if must_sync && !syncs {
            return Err(Trouble::Unsynced { server: server() }.into());
        }
        if !syncs {
            tracing::warn!(server = %server(), "fsync is off: a crash of this server loses acknowledged writes");
        }
        Ok(Self::read(&row)?)
    }

    fn read(row: &Row) -> Result<Self, tokio_postgres::Error> {
        let timeline: Option<&str> = row.try_get(7)?;
        let reached: Option<&str> = row.try_get(8)?;
        let recovered: Option<&str> = row.try_get(9)?;
        Ok(Self {
            system: row.try_get(5)?,
            started: row.try_get(6)?,
            timeline: timeline.and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or_default(),
            reached: reached.and_then(Position::parse).unwrap_or_default(),
            recovered: recovered.and_then(Position::parse),
        })
    }

    /// Compares it with what was known of the server `before`, when the newest write `seen` was after that position.
    pub(super) fn judge(&self, before: &Self, seen: Position, server: &str) -> Result<(), Trouble> {
        let server = server.to_owned();
        if self.system != before.system {
            return Err(Trouble::Another { server, before: before.system.clone(), now: self.system.clone() });
        }
        if self.timeline < before.timeline {
            return Err(Trouble::Former { server, before: before.timeline, now: self.timeline });
        }
        match self.end_of_shared_history(before).filter(|end| *end <= seen) {
            Some(end) => Err(Trouble::Lost { server, seen, end }),
            None => Ok(()),
        }
    }

    /// Up to where its history is that of the server we knew. The end of a recovery counts only if it was after we last
    /// connected: what was written since then is beyond it.
    fn end_of_shared_history(&self, before: &Self) -> Option<Position> {
        let is_new = self.timeline != before.timeline || self.started != before.started;
        self.recovered.filter(|_| is_new).or(Some(self.reached))
    }
}

/// Why a server did not say who it is.
#[derive(Debug)]
pub(super) enum Problem {
    Trouble(Trouble),
    Error(tokio_postgres::Error),
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<tokio_postgres::Error> for Problem {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Error(error)
    }
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
