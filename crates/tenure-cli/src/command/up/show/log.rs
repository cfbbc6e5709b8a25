//! The last events, in words.

use std::collections::VecDeque;
use std::time::Duration;

/// The most that are kept.
const MOST: usize = 200;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogEntry {
    /// When, since the show began.
    pub(crate) at: Duration,
    /// What happened.
    pub(crate) text: String,
}

/// The last events, the latest at the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    entries: VecDeque<LogEntry>,
    fresh: usize,
}

impl Log {
    pub(super) fn add(&mut self, at: Duration, text: impl Into<String>) {
        self.entries.push_back(LogEntry { at, text: text.into() });
        self.fresh += 1;
        if self.entries.len() > MOST {
            self.entries.pop_front();
        }
    }

    /// The last `count`, in order.
    pub(crate) fn last(&self, count: usize) -> impl Iterator<Item = &LogEntry> {
        self.entries.iter().skip(self.entries.len().saturating_sub(count))
    }

    /// Those that were added since this was last asked.
    pub(crate) fn take_fresh(&mut self) -> Vec<LogEntry> {
        let fresh = std::mem::take(&mut self.fresh);
        self.last(fresh).cloned().collect()
    }
}
