//! A member's lease, as it is stored.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::{BYTES_MAX, Failing, Incompatible, Key, NUMBER_MAX, Released, Unknown, json};
use crate::ids::{Epoch, Incarnation, Life, Line, MemberId, Process, ShardId};

/// What a member record says of its member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberState {
    /// It renews, and takes shards.
    Active,
    /// It renews, and hands its shards on.
    Leaving,
    /// It ended, by its own word or by proof.
    Gone,
    /// It was silent, and another member closed it.
    Deposed,
}

impl MemberState {
    /// Whether a record in this state is a living lease.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Active | Self::Leaving)
    }
}

/// The record `members/<id>`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberRecord {
    /// Record format.
    pub v: u32,
    /// The line of records; with `term` it names the life.
    pub line: Line,
    /// Which life of the line this is.
    pub term: u64,
    /// The process that wrote it.
    pub process: Process,
    /// Grows with every attempt of that process to write this record; never used twice.
    pub seq: u64,
    /// What the record says of its member.
    pub state: MemberState,
    /// Who closed it, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<MemberId>,
    /// The length of the lease.
    pub ttl_ms: u64,
    /// Where peers reach the member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The failure domain that the member runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The share of shards that it should get, relative to the others.
    pub weight: u32,
    /// The version of the software.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Epochs that it has ended and that the ledger may still name; a portion, if there are very many.
    #[serde(default, skip_serializing_if = "Released::is_empty")]
    pub released: Released,
    /// Shards that it could not start and asks others to take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoids: Vec<ShardId>,
    /// Shards that it should own, where the placement is `external`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wants: Vec<ShardId>,
    /// Shards whose work does not end although it was interrupted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stuck: Vec<ShardId>,
    /// Shards whose work fails and is tried again; the first of them, if there are very many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<Failing>,
    /// An operator asks that it hand its shards on and get no others; kept over its restarts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drained: bool,
    /// Epochs promised to it that an operator asks it to give back, unless it has begun them.
    #[serde(default, skip_serializing_if = "Released::is_empty")]
    pub give_back: Released,
    /// The wall clock of the member when it wrote this, in milliseconds since 1970: for people, never for a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// Fields of a later version, kept as they are.
    #[serde(flatten, skip_deserializing)]
    pub extra: Unknown,
}

impl MemberRecord {
    /// Which life of its member the record is.
    pub fn incarnation(&self) -> Incarnation {
        Incarnation { line: self.line, term: self.term }
    }

    /// The life that the record is the lease of.
    pub fn life(&self, id: &MemberId) -> Life {
        Life::new(id.clone(), self.incarnation())
    }

    /// The length of the lease.
    pub fn ttl(&self) -> Duration {
        Duration::from_millis(self.ttl_ms)
    }

    /// Whether the record says that its life ended `epoch` of `shard`.
    pub fn has_released(&self, shard: ShardId, epoch: Epoch) -> bool {
        self.released.has(shard, epoch)
    }

    /// The record as bytes.
    pub fn encode(&self) -> Bytes {
        json::encode(self)
    }

    /// Reads the record of `id`, whose lease may be at most `ttl_max`.
    ///
    /// # Errors
    /// [`Incompatible`] for bytes that this build does not understand, or a lease that is too long.
    pub fn decode(id: &MemberId, bytes: &[u8], ttl_max: Duration) -> Result<Self, Incompatible> {
        let wrong = |why: String| Incompatible { key: Key::Member(id.clone()), why };
        let (record, extra) = json::decode_with_unknown::<Self>(bytes, BYTES_MAX).map_err(wrong)?;
        record.check(ttl_max).map_err(wrong)?;
        Ok(Self {
            avoids: ordered(record.avoids),
            wants: ordered(record.wants),
            stuck: ordered(record.stuck),
            extra,
            ..record
        })
    }

    fn check(&self, ttl_max: Duration) -> Result<(), String> {
        json::check_format(self.v)?;
        if self.term == 0 || self.term > NUMBER_MAX {
            return Err(format!("term {} is out of range", self.term));
        }
        if self.seq > NUMBER_MAX {
            return Err(format!("seq {} is out of range", self.seq));
        }
        if self.ttl_ms == 0 || self.ttl() > ttl_max {
            return Err(format!("its lease of {} ms is not within the cluster's {ttl_max:?}", self.ttl_ms));
        }
        Ok(())
    }
}

/// Each once, ascending.
fn ordered<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items.dedup();
    items
}
