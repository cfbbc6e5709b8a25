//! How long a record has been seen unchanged, on the observer's own clock (O1), and whether it was seen to be renewed (C6).
//!
//! These are two questions with two moments. Silence is counted over unbroken watching only: an observer that could not read
//! for a while, or could not renew its own lease, starts anew, since after an outage of the store everybody looks silent and
//! nobody must be deposed for it. But none of that makes a record look renewed: only a change that this observer watched does.
//!
//! ```text
//!   seq 7            seq 8                       our own renewal fails
//!   ├── first sight  ├── shown_since, renewed    ├── counting_since
//!   says nothing     alive at about this time    silence is counted from here
//! ```

use std::time::Duration;

use crate::ids::{Incarnation, Process};
use crate::moment::Moment;
use crate::record::MemberRecord;

/// What changes when a record is renewed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    incarnation: Incarnation,
    seq: u64,
}

/// One sighting of (line, term, seq), and since when it has not changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    mark: Mark,
    process: Process,
    /// When the record was first seen as it is.
    shown_since: Moment,
    /// Whether that was a renewal which this observer watched, and not a first sight.
    renewed: bool,
    /// From when on silence is counted.
    counting_since: Moment,
    last_seen: Moment,
}

impl Sighting {
    /// Seen for the first time, in a reply that had arrived by `now`; `new` if it is known not to have been there a moment ago.
    pub fn first(now: Moment, record: &MemberRecord, new: bool) -> Self {
        let mark = Mark { incarnation: record.incarnation(), seq: record.seq };
        let process = record.process;
        Self { mark, process, shown_since: now, renewed: new, counting_since: now, last_seen: now }
    }

    /// Seen again; `gap` is the longest pause between two reads that still counts as watching.
    pub fn again(&mut self, now: Moment, record: &MemberRecord, gap: Duration) {
        let next = Self::first(now, record, false);
        let watched = now.since(self.last_seen) <= gap;
        if next.mark != self.mark {
            // Whoever fences a member writes its record under another process: that renews nothing.
            let by_itself = next.mark.incarnation != self.mark.incarnation || next.process == self.process;
            *self = Self { renewed: watched && by_itself, ..next };
        } else if !watched {
            self.counting_since = now;
        }
        self.last_seen = now;
    }

    /// Starts the count anew: what was watched so far does not count.
    pub fn mistrust(&mut self, now: Moment) {
        self.counting_since = now;
    }

    /// When the record was first seen as it is.
    pub fn shown_since(&self) -> Moment {
        self.shown_since
    }

    /// Whether that was a renewal which this observer watched, and not a first sight.
    pub fn was_renewed(&self) -> bool {
        self.renewed
    }

    /// From when on the member is silent, if nothing changes for so long.
    pub fn silent_after(&self, silence: Duration) -> Moment {
        self.counting_since + silence
    }
}
