//! One member record, as last seen.

use std::time::Duration;

use super::Sighting;
use crate::Rules;
use crate::ids::Process;
use crate::moment::Moment;
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
pub struct SeenRecord {
    /// Its version.
    pub version: Version,
    /// What it says, if that can be understood.
    pub record: Result<MemberRecord, Incompatible>,
    /// Since when it has said so; `None` for a record that can't be understood.
    pub sighting: Option<Sighting>,
    /// When this very version was first seen.
    pub version_seen: Moment,
}

impl SeenRecord {
    /// Seen for the first time; `new` if it is known not to have been there a moment ago.
    pub fn first(now: Moment, version: Version, record: MemberRecord, new: bool) -> Self {
        let sighting = Some(Sighting::first(now, &record, new));
        Self { version, record: Ok(record), sighting, version_seen: now }
    }

    /// A record that could not be understood.
    pub fn unreadable(now: Moment, version: Version, error: Incompatible) -> Self {
        Self { version, record: Err(error), sighting: None, version_seen: now }
    }

    /// Seen again under another version; `gap` is the longest pause between two reads that still counts as watching.
    pub fn again(
        self,
        now: Moment,
        version: Version,
        record: MemberRecord,
        gap: Duration,
        rules: Rules,
    ) -> Self {
        let Some(mut sighting) = self.sighting else { return Self::first(now, version, record, false) };
        // Nobody writes twice what is there already. A store that forgot does, and may have shown a renewal meanwhile.
        let repeated = self.version != version && self.readable() == Some(&record);
        sighting.again(now, &record, gap);
        if rules.counts_anew(repeated) {
            sighting.mistrust(now);
        }
        Self { version, record: Ok(record), sighting: Some(sighting), version_seen: now }
    }

    /// The record, if it can be understood.
    pub fn readable(&self) -> Option<&MemberRecord> {
        self.record.as_ref().ok()
    }

    /// Whether this process wrote it.
    pub fn is_of(&self, process: Process) -> bool {
        self.readable().is_some_and(|record| record.process == process)
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
}
