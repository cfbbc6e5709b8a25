//! One line of a history.

use serde::{Deserialize, Serialize};
use tenure::{Epoch, MemberId, ShardId};

/// Where a tenure begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Boundary {
    /// From now on it may act: written before the first effect.
    Act,
    /// Nothing acts any more: written after the last effect.
    End,
}

/// One line: at this time, this life of this member began or ended to act for a shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HistoryLine {
    /// Boot time in microseconds: comparable between all processes of one boot of one machine.
    pub(crate) boot_us: u64,
    /// The wall clock in milliseconds since 1970, for people and for comparing machines.
    pub(crate) wall_ms: u64,
    /// Which boot of which machine `boot_us` counts from.
    pub(crate) boot_id: String,
    /// The member.
    pub(crate) member: MemberId,
    /// Which of its lives.
    pub(crate) incarnation: String,
    /// The shard.
    pub(crate) shard: ShardId,
    /// The epoch that it acted at.
    pub(crate) epoch: Epoch,
    /// `act` or `end`.
    pub(crate) deed: Boundary,
    /// Why, in words.
    pub(crate) reason: String,
}
