//! One member record, as last seen.

use std::time::Duration;

use super::Sighting;
use crate::moment::{Moment, Timing};
use crate::record::{Incompatible, MemberRecord, Version};

/// One member record, as last seen.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its version.
    pub version: Version,
    /// What it says, if that can be understood.
    pub record: Result<MemberRecord, Incompatible>,
    /// Since when it has said so; `None` for a record that can't be understood.
    pub sighting: Option<Sighting>,
    /// When this very version was first seen.
    pub version_seen: Moment,
}

impl Entry {
    /// The record, if it can be understood.
    pub fn readable(&self) -> Option<&MemberRecord> {
        self.record.as_ref().ok()
    }

    /// The record, if it is a living lease.
    pub fn open(&self) -> Option<&MemberRecord> {
        self.readable().filter(|record| record.state.is_open())
    }

    /// When its last renewal was first seen.
    pub fn renewed_at(&self) -> Moment {
        self.sighting.map_or(Moment::ZERO, |sighting| sighting.first_seen())
    }

    /// The longest pause between reads that still counts as watching this record.
    pub(super) fn gap(timing: &Timing, ttl: Duration) -> Duration {
        timing.ttl.max(ttl) / 3
    }
}
