//! Who owned what, from when to when: the timeline.

use serde::{Deserialize, Serialize};

/// What `GET /api/v1/timeline` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Timeline {
    /// The picture that the places of members belong to, and later events carry on from.
    pub seq: u64,
    /// When this was put together.
    pub at_ms: u64,
    /// The earliest moment that is remembered.
    pub from_ms: u64,
    /// The names of the members, by place.
    pub names: Vec<String>,
    /// The tenures that overlap with what was asked for, by shard and then by time.
    pub tenures: Tenures,
    /// What became of members within that time, in its order.
    pub turns: Vec<super::Turn>,
    /// What operators did within that time.
    pub deeds: Vec<super::Deed>,
    /// Times at which the store was away: nothing is known of them.
    pub blind: Vec<Blind>,
}

/// A time at which the store was away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Blind {
    /// When it last answered before.
    pub from_ms: u64,
    /// When it answered again; null while it does not.
    pub to_ms: Option<u64>,
}

/// Tenures as parallel arrays; also the event `moves`: those that began or ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Tenures {
    /// The state that this belongs to.
    pub seq: u64,
    /// When it was seen.
    pub at_ms: u64,
    /// Which shard. With the epoch it names the tenure.
    pub shard: Vec<u32>,
    /// Its epoch.
    pub epoch: Vec<u64>,
    /// The owner's place among the members.
    pub owner: Vec<u32>,
    /// Since when: as seen, or as the ledger says if it began before the dashboard looked.
    pub from_ms: Vec<u64>,
    /// Until when, as seen; null if it lasts.
    pub to_ms: Vec<Option<u64>>,
    /// How it ended; null if it lasts.
    pub end: Vec<Option<End>>,
    /// Before it began, for how long looks had shown the shard without an owner; null if that is not known.
    pub gap_ms: Vec<Option<u64>>,
    /// Before it began, for how long at most nobody had owned the shard: since the last sign of the owner before.
    pub gap_max_ms: Vec<Option<u64>>,
    /// Why it began: a place in `reasons`, or null.
    pub why: Vec<Option<u32>>,
    /// The words that `why` points to.
    pub reasons: Vec<String>,
}

/// How a tenure ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum End {
    /// Its owner handed the shard on, and lives.
    Moved,
    /// Its owner left the cluster.
    Left,
    /// Its owner was proven dead.
    Died,
    /// Its owner was silent for too long, and another closed it.
    Deposed,
    /// Its owner's lease was over, and it began anew.
    Lapsed,
    /// Its owner's record was removed, or can't be read.
    Lost,
}

impl End {
    /// What the next owner had to wait for.
    pub fn kind(self) -> Kind {
        match self {
            Self::Moved | Self::Left => Kind::Moves,
            Self::Died => Kind::Proof,
            Self::Deposed | Self::Lapsed | Self::Lost => Kind::Silence,
        }
    }
}

/// What a handover waits for: the times of one kind say nothing about those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// For nothing: the owner handed the shard on.
    Moves,
    /// For proof that the owner is dead.
    Proof,
    /// For the end of the owner's lease, as there was no proof.
    Silence,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Moves, Self::Proof, Self::Silence];
}
