//! One member record, as last seen.

use std::time::Duration;

use super::Sighting;
use crate::moment::{Moment, Timing};
use crate::record::{Incompatible, MemberRecord, Version};

/// Whether a member can be counted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It was seen to renew of late.
    Renewed,
    /// It was seen for the first time of late: a renewal, or its lack, will tell.
    Unproven,
    /// No renewal was seen for half a lease.
    Doubted,
}

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

    /// When the record was first seen as it is.
    pub fn shown_since(&self) -> Moment {
        self.sighting.map_or(Moment::ZERO, |sighting| sighting.shown_since())
    }

    /// Whether the member can be counted on at `now` (C6).
    pub fn trust(&self, now: Moment) -> Trust {
        let Some(sighting) = self.sighting.filter(|_| self.doubted_at().is_some_and(|at| now < at)) else {
            return Trust::Doubted;
        };
        if sighting.was_renewed() { Trust::Renewed } else { Trust::Unproven }
    }

    /// When the member is doubted unless it renews; `None` for one that has no lease.
    pub fn doubted_at(&self) -> Option<Moment> {
        Some(self.shown_since() + self.open()?.ttl() / 2)
    }

    /// The longest pause between reads that still counts as watching this record.
    pub(super) fn gap(timing: &Timing, ttl: Duration) -> Duration {
        timing.ttl.max(ttl) / 3
    }
}
