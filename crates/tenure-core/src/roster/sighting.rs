//! How long a record has been seen unchanged, on the observer's own clock (O1).
//!
//! Only unbroken watching counts. An observer that could not read for a while, or could not renew its own lease, starts
//! anew: after an outage of the store everybody looks silent, and nobody must be deposed for it.

use std::time::Duration;

use crate::flaw::{Flaw, Flaws};
use crate::ids::Incarnation;
use crate::moment::{Moment, Timing};

/// One sighting of (line, term, seq), and since when it has not changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    incarnation: Incarnation,
    seq: u64,
    first_seen: Moment,
    last_seen: Moment,
}

impl Sighting {
    /// Seen for the first time, in a reply that had arrived by `now`.
    pub fn new(now: Moment, incarnation: Incarnation, seq: u64) -> Self {
        Self { incarnation, seq, first_seen: now, last_seen: now }
    }

    /// Seen again; `gap` is the longest pause between two reads that still counts as watching.
    pub fn again(&mut self, now: Moment, incarnation: Incarnation, seq: u64, gap: Duration) {
        let same = self.incarnation == incarnation && self.seq == seq;
        if !same || now.since(self.last_seen) > gap {
            *self = Self::new(now, incarnation, seq);
        }
        self.last_seen = now;
    }

    /// Starts the count anew: what was watched so far does not count.
    pub fn mistrust(&mut self, now: Moment) {
        self.first_seen = now;
    }

    /// When the record was first seen as it is.
    pub fn first_seen(&self) -> Moment {
        self.first_seen
    }

    /// From when on the member is silent, if nothing changes: its own lease is over by then, with room to spare.
    pub fn silent_at(&self, timing: &Timing, ttl: Duration, flaws: Flaws) -> Moment {
        if flaws.has(Flaw::ObserverHurries) {
            return self.first_seen + ttl / 2;
        }
        self.first_seen + timing.silence(ttl)
    }
}
